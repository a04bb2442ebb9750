"""Every command that takes texts reads files with markup as texts, or says why not."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.cli.main import main
from tests.cli.command import call
from tests.corpus.test_sgm import REFERENCE, SOURCE, WMT
from tests.corpus.test_tmx import HEAD, MEMORY
from tests.corpus.test_xliff import FIRST
from tests.detectors.plain import judge

ENGLISH = "Click here & wait a little while.\nOnly in English.\nTwo.\nThree.\n"
HF = "".join(
    json.dumps({"translation": {"de": f"Hund {n}.", "en": f"A dog {n}."}}) + "\n" for n in range(3)
)
FILES = {
    "a.tmx": HEAD + MEMORY,
    "a.xlf": FIRST,
    "s.sgm": SOURCE,
    "r.sgm": REFERENCE,
    "a.xml": WMT,
    "a.jsonl": HF,
    "memory.txt": HEAD + MEMORY,
}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def translated(file: str, capsys: pytest.CaptureFixture[str], languages: str = "en-de") -> str:
    assert main(["translate", "--system", "copy", "-l", languages, "--no-cache", file]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("a.tmx", ENGLISH),
        ("memory.txt", ENGLISH),
        ("a.xlf", "Hello big world !\nNew.\nBye.\n"),
        ("s.sgm", 'AT&T "buys" R&D for £3 < £4\nWelsh AMs worried\nA title\n'),
        ("a.xml", "One & two\nThree\nFour\nNot judged\n"),
        ("a.jsonl", "A dog 0.\nA dog 1.\nA dog 2.\n"),
    ],
)
def test_translate(file: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert translated(file, capsys) == expected


@pytest.mark.usefixtures("desk")
def test_datasets_as_they_are_stored(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"en": f"A dog {n}.", "de": f"Hund {n}."} for n in range(3)]
    pl.DataFrame({"translation": rows}).write_parquet("a.parquet")
    assert translated("a.parquet", capsys) == "A dog 0.\nA dog 1.\nA dog 2.\n"
    assert main(["export", "a.parquet", "-l", "de-en", "--format", "text"]) == 0
    assert capsys.readouterr().out == "Hund 0.\nHund 1.\nHund 2.\n"


@pytest.mark.usefixtures("desk")
def test_the_other_direction(capsys: pytest.CaptureFixture[str]) -> None:
    assert translated("a.tmx", capsys, "de-en") == "Klicken Sie hier und warten Sie.\nZwei.\n"
    assert translated("a.jsonl", capsys, "de-en") == "Hund 0.\nHund 1.\nHund 2.\n"


def test_standard_input_is_named_with_what_to_do() -> None:
    arguments = ("translate", "--system", "copy", "-l", "en-de", "--no-cache")
    done = call(*arguments, text=HEAD + MEMORY)
    assert (done.returncode, done.stdout) == (2, "")
    assert "standard input is TMX, not one text per line: add --input tmx" in done.stderr
    done = call(*arguments, "--input", "tmx", text=HEAD + MEMORY)
    assert (done.returncode, done.stdout) == (0, ENGLISH)


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("file", ["a.tmx", "memory.txt", "a.xlf", "a.xml", "a.jsonl"])
def test_perturb_both_sides(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["perturb", "-l", "en-de", "--with", "upper", "--format", "jsonl", file]
    assert main(arguments) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows
    assert all("<" not in row["source"] + row["reference"] for row in rows)
    assert all(row["varied_reference"] == row["reference"].upper() for row in rows)


@pytest.mark.parametrize(
    ("files", "rows"),
    [(("a.tmx",), 2), (("a.xlf",), 2), (("s.sgm", "r.sgm"), 3), (("a.xml",), 3), (("a.jsonl",), 3)],
)
def test_a_study(files: tuple[str, ...], rows: int, desk: Path) -> None:
    from hyperbaton.pipeline import Run

    arguments = ["surface", *files, "-l", "en-de", "--system", "copy", "--out", "run"]
    assert main([*arguments, "--no-report", "--no-cache", "--with", "upper"]) == 0
    (pair,) = Run(desk / "run").pairs
    table = Run(desk / "run").table(pair, "copy")
    assert table["item"].n_unique() == rows
    assert not table["source"].str.contains("<seg|<g|translation").any()


@pytest.mark.usefixtures("desk")
def test_score(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.de").write_text("Klicken Sie hier und warten Sie.\nZwei.\n")
    assert main(["score", "-m", "BLEU", "-l", "de", "two.de", "a.tmx"]) == 0
    assert "= 100.0" in capsys.readouterr().out
    Path("three.de").write_text("eins\nzwei\ndrei\n")
    assert main(["score", "-m", "chrF", "three.de", "r.sgm"]) == 0
    assert "= 100.0" in capsys.readouterr().out
    assert main(["score", "two.de", "a.tmx"]) == 2
    assert "a.tmx has texts in several languages: name one with -l" in capsys.readouterr().err


@pytest.mark.usefixtures("desk")
def test_export_and_import(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "a.tmx", "a.jsonl", "-l", "en-de", "--format", "text"]) == 0
    assert capsys.readouterr().out == ENGLISH + "A dog 0.\nA dog 1.\nA dog 2.\n"
    store = ["--cache", "store"]
    name = ["--system", "recorded:tm", "-l", "en-de", *store]
    assert main(["import", "a.tmx", *name]) == 0
    assert "2 translations imported" in capsys.readouterr().out
    Path("two.en").write_text("Two.\n")
    assert main(["translate", *name, "two.en"]) == 0
    assert capsys.readouterr().out == "Zwei.\n"
    name = ["--system", "recorded:wmt", "-l", "en-de", *store]
    assert main(["import", "r.sgm", "--sources", "s.sgm", *name]) == 0
    assert main(["translate", *name, "s.sgm"]) == 0
    assert capsys.readouterr().out.endswith("eins\nzwei\ndrei\n")
    assert main(["import", "r.sgm", *name]) == 2
    assert "r.sgm is SGM: name the file of its sources" in capsys.readouterr().err


@pytest.mark.usefixtures("desk")
def test_a_recorded_system(capsys: pytest.CaptureFixture[str]) -> None:
    run = ["translate", "-l", "en-de", "--no-cache", "a.jsonl", "--system"]
    assert main([*run, "file:a.jsonl"]) == 0
    assert capsys.readouterr().out == "Hund 0.\nHund 1.\nHund 2.\n"
    assert main([*run, "file:a.tmx"]) == 2
    assert "a.tmx is TMX, not one text per line: read it into the store" in capsys.readouterr().err


@pytest.mark.usefixtures("desk", "plain_detectors")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("surface a.tmx a.xlf -l en-de", "a TMX file holds source and reference itself"),
        ("surface a.tmx -l en-fi", "has no text in en and fi (it has: EN-US, de-DE, en, fr, de)"),
        ("surface a.jsonl -l en-fi", "line 1: 'translation' has no text in fi (it has: de, en)"),
        ("isometry a.tmx a.tmx -l en-de", "a.tmx is TMX, where one text per line is needed"),
        ("isometry a.tmx -l en-de", "a.tmx is TMX, where one text per line is needed"),
        ("grammar a.tmx a.tmx -l en-de", "a.tmx is TMX, where one text per line is needed"),
    ],
)
def test_a_study_that_cannot(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = arguments.split()
    given = ("--system", "copy", "--out", "run", "--no-cache", *judge(words[0]))
    assert main([*words, *given]) == 2
    assert message in capsys.readouterr().err
