"""`hyperbaton check --cases`: what broke once is translated again, and says whether it is back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hyperbaton.cli.main import main
from hyperbaton.search.cases import Case, read_cases, write_cases

MODULE = '''
def mended(texts):
    return [text.lower() for text in texts]

def weak(texts):
    """It understands nothing that is in capitals."""
    return ["Unsinn ist das" if text.isupper() else text.lower() for text in texts]

def down(texts):
    raise OSError("no connection")

def mute(texts):
    return ["" if text.isupper() else text.lower() for text in texts]
'''
CASE = Case(
    item="7",
    pair="en-de",
    system="python:casing:weak",
    kind="case",
    size=1,
    change='case(at=0, old=Think, new="THINK")',
    why="chrF 0.10 < 0.5",
    source="Think about it again tomorrow",
    varied="THINK ABOUT IT AGAIN TOMORROW",
    output="think about it again tomorrow",
    varied_output="Unsinn ist das",
)
OTHER = replace(CASE, item="8", source="We go home.", varied="we go home", change="x")


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "casing.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    write_cases(tmp_path / "cases.jsonl", [CASE, OTHER])
    return tmp_path / "cases.jsonl"


def _check(cases: Path, *more: str) -> int:
    return main(["check", "--cases", str(cases), "--no-cache", *more])


def test_a_case_that_is_back_is_named_with_its_texts(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _check(cases) == 1  # with the system that the cases are of
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("FAIL python:casing:weak en-de: case 7, case breaks again: chrF 0.")
    assert [line.strip() for line in lines[1:5]] == [
        "source: Think about it again tomorrow",
        "varied: THINK ABOUT IT AGAIN TOMORROW",
        "translation: think about it again tomorrow",
        "of the varied: Unsinn ist das",
    ]
    assert lines[5:] == ["ok   python:casing:weak en-de: 1 of 2 cases holds"]


def test_a_mended_system_passes(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _check(cases, "--system", "python:casing:mended") == 0
    assert capsys.readouterr().out == "ok   python:casing:mended en-de: 2 of 2 cases hold\n"


def test_what_is_mended_is_a_file_to_check_from_now_on(cases: Path) -> None:
    mended = cases.with_name("mended.jsonl")
    assert _check(cases, "--mended", str(mended)) == 1
    assert read_cases(mended) == [OTHER]
    assert _check(mended) == 0
    # What one of two systems still breaks on is not mended.
    both = ("--system", "python:casing:mended", "--system", "python:casing:weak")
    assert _check(cases, *both, "--mended", str(mended)) == 1
    assert read_cases(mended) == [OTHER]


def test_what_counts_as_broken_is_what_the_search_looked_for(cases: Path) -> None:
    assert _check(cases, "--breaks", "number") == 0
    cases.with_name("search.json").write_text(json.dumps({"breaks": ["number"]}))
    assert _check(cases) == 0
    assert _check(cases, "--breaks", "similarity:chrF(below=0.5)") == 1


def test_an_empty_answer_is_a_break_and_a_failure_is_not_a_pass(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _check(cases, "--system", "python:casing:mute") == 1
    assert "breaks again: the translation is empty" in capsys.readouterr().out
    assert _check(cases, "--system", "python:casing:down") == 2
    streams = capsys.readouterr()
    assert "? " in streams.out
    assert "no connection" in streams.out
    assert "2 of 2 checks cannot be decided" in streams.err


def test_the_formats_have_a_row_for_each_case(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _check(cases, "--format", "json") == 1
    rows = json.loads(capsys.readouterr().out)["checks"]
    assert [(row["status"], row["name"]) for row in rows] == [
        ("failed", "case 7, case"),
        ("ok", "case 8, case"),
    ]
    assert _check(cases, "--format", "junit") == 1
    suite = ElementTree.fromstring(capsys.readouterr().out)
    assert [len(case.findall("failure")) for case in suite.iter("testcase")] == [1, 0]
    assert _check(cases, "--format", "markdown") == 1
    assert "1 of 2 checks failed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--cases", "none.jsonl"), "there is no none.jsonl"),
        (("--cases", "{cases}", "--min", "beta=1"), "name the run to check"),
        (("--cases", "{cases}", "--breaks", "nonsense"), "unknown break"),
        (("--cases", "{empty}"), "has no cases"),
    ],
)
def test_mistakes_are_a_sentence(
    arguments: tuple[str, ...], said: str, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = cases.with_name("empty.jsonl")
    empty.write_text("\n")
    places = {"cases": str(cases), "empty": str(empty)}
    assert main(["check", *(a.format(**places) for a in arguments)]) == 2
    assert said in capsys.readouterr().err


def test_the_same_case_of_two_systems_is_run_once(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_cases(cases, [CASE, replace(CASE, system="bundled")])
    assert _check(cases, "--system", "python:casing:weak") == 1
    assert capsys.readouterr().out.count("FAIL") == 1
