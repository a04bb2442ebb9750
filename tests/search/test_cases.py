"""A file of cases says what was found, and reads back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.search.cases import CASES, Case, case_of, read_cases, write_cases

CASE = Case(
    item="7",
    pair="en-de",
    system="bundled",
    kind="letter",
    size=1,
    change="letter(at=13, old=ab, new=ba)",
    why="chrF 0.12 < 0.5",
    source="I must think about it.",
    varied="I must think baout it.",
    output="Ich muss darüber nachdenken.",
    varied_output="Ich werde den Schimmen ziehen müssen.",
)
TEXTS = st.text(st.characters(codec="utf-8"))


@given(TEXTS, TEXTS, st.integers(1, 99))
def test_a_case_reads_back(source: str, sentence: str, size: int) -> None:
    case = replace(CASE, source=source, sentence=sentence, size=size)
    assert case_of(case.line(), "here") == case
    assert "\n" not in case.line()


def test_a_file_reads_back_by_its_name_and_by_its_folder(tmp_path: Path) -> None:
    cases = [CASE, replace(CASE, item="8\u2028", output="")]
    write_cases(tmp_path / CASES, cases)
    with (tmp_path / CASES).open("a") as file:
        file.write("\n\r\n")
    assert read_cases(tmp_path) == read_cases(tmp_path / CASES) == cases


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("{", "line 2, is not JSON"),
        ("[]", "line 2, is not an object"),
        ("{}", 'line 2, has no "item"'),
        (CASE.line().replace('"size": 1', '"size": "1"'), '"size" must be a whole number'),
        (CASE.line().replace('"size": 1', '"size": true'), '"size" must be a whole number'),
        (CASE.line().replace('"item": "7"', '"item": null'), '"item" must be text'),
        (CASE.line().replace('"item": "7"', '"item": "\\ud800"'), '"item" must be text'),
    ],
)
def test_a_wrong_line_is_named(line: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(f"{CASE.line()}\n{line}\n")
    with pytest.raises(HyperbatonError, match=r"some\.jsonl, line 2,") as raised:
        read_cases(path)
    assert wrong in str(raised.value)


def test_what_is_no_file_of_cases_is_a_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="there is no"):
        read_cases(tmp_path)
    (tmp_path / "latin").write_bytes(b"\xe9")
    with pytest.raises(HyperbatonError, match="not UTF-8"):
        read_cases(tmp_path / "latin")
