"""`hyperbaton break`: what it prints and writes, resumed after a kill with the same cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.search.cases import CASES, read_cases
from hyperbaton.search.folder import DONE, SEARCH

TEXTS = ["I must think about it.", "Tom said that he would come.", "She opened the old door."]
COMMON = ("-l", "en-de", "--system", "bundled", "--no-cache", "--budget", "30")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("texts") / "some.en"
    path.write_text("\n".join([TEXTS[0], "", *TEXTS[1:]]) + "\n")
    return path


@pytest.fixture(scope="module")
def run(texts: Path) -> Path:
    folder = texts.parent / "run"
    assert main(["break", *COMMON, "--out", str(folder), str(texts)]) == 0
    return folder


def test_the_cases_are_in_the_folder(run: Path) -> None:
    cases = read_cases(run)
    assert {case.item for case in cases} <= {"1", "3", "4"}
    assert all(case.source != case.varied and case.why for case in cases)
    assert {case.system for case in cases} == {"bundled"}
    assert len((run / DONE).read_text().splitlines()) == 3


def test_a_search_that_was_killed_ends_with_the_same_cases(run: Path, texts: Path) -> None:
    folder = texts.parent / "killed"
    assert main(["break", *COMMON, "--limit", "2", "--out", str(folder), str(texts)]) == 0
    lines = (folder / DONE).read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["item"] for line in lines] == ["1", "3"]  # a blank line is none
    (folder / DONE).write_bytes(lines[0] + lines[1][: len(lines[1]) // 2])
    (folder / CASES).unlink()
    assert main(["break", *COMMON, "--out", str(folder), str(texts)]) == 0
    assert (folder / CASES).read_bytes() == (run / CASES).read_bytes()


def test_another_search_is_refused_in_the_folder(
    run: Path, texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = ["break", *COMMON, "--out", str(run)]
    assert main([*again, "--seed", "1", str(texts)]) == 2
    assert "another seed (0)" in capsys.readouterr().err
    other = texts.parent / "other.en"
    other.write_text("Another text.\n")
    assert main([*again, str(other)]) == 2
    assert "holds another sentence '1'" in capsys.readouterr().err
    (run.parent / "full").mkdir(exist_ok=True)
    (run.parent / "full" / "run.json").write_text("{}")
    assert main(["break", *COMMON, "--out", str(run.parent / "full"), str(texts)]) == 2
    assert "holds something else" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"systems": 3}'])
def test_a_damaged_record_is_told(
    text: str, texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / SEARCH).write_text(text)
    assert main(["break", *COMMON, "--out", str(tmp_path), str(texts)]) == 2
    assert "damaged" in capsys.readouterr().err


def test_a_damaged_line_is_told(
    run: Path, texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / SEARCH).write_bytes((run / SEARCH).read_bytes())
    (tmp_path / DONE).write_text('{"system": "bundled"}\n')
    assert main(["break", *COMMON, "--out", str(tmp_path), str(texts)]) == 2
    assert "line 1, is damaged" in capsys.readouterr().err


def test_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["break", *COMMON, "--under", "letter", "I must think about it."]) == 0
    shown = capsys.readouterr().out
    assert "I must think about it." in shown
    assert "letter: " in shown
    assert "case: " not in shown


def test_json(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["break", *COMMON, "--format", "json", "--limit", "1", str(texts)]) == 0
    (told,) = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert told["broken"]["of"] == 1
    assert {case["kind"] for case in told["cases"]} == {
        k for k, v in told["kinds"].items() if v["hits"]
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--under", "leter", "A b."], "Did you mean 'letter'?"),
        (["--breaks", "similarty:chrF", "A b."], "Did you mean 'similarity'?"),
        (["A b.", "C d."], "one sentence in quotes"),
        (["--budget", "1", "A b."], "at least 2"),
        (["--limit", "0", "A b."], "at least 1"),
        (["--breaks", "similarity:chrF(below=1.5)", "A b."], "below is at most 1"),
        ([""], "'' is not a file name"),
        (["nothing.en"], "nothing.en"),
    ],
)
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["break", *COMMON, *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_system_that_fails_is_status_one(capsys: pytest.CaptureFixture[str]) -> None:
    failing = ["break", "-l", "en-de", "--system", "cmd:false", "--no-cache", "I come home."]
    assert main(failing) == 1
    assert "could not be translated" in capsys.readouterr().out


def test_recorded_answers_are_refused(
    texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = tmp_path / "out.de"
    recorded.write_text("Ja.\n" * 4)
    system = f"file:{recorded}(sources={texts})"
    assert main(["break", "-l", "en-de", "--system", system, str(texts)]) == 2
    assert "recorded answers cannot be searched" in capsys.readouterr().err
