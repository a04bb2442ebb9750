"""Answers that are copies or in another language: counted and told in every study, by every way."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from hyperbaton.cli.main import main
from hyperbaton.pipeline import Pair, Run
from hyperbaton.studies.layer.answers import answered
from hyperbaton.studies.layer.session import Session
from tests.detectors.plain import judge

pytestmark = pytest.mark.usefixtures("plain_detectors")

SYSTEMS = """
def copies(texts):
    return list(texts)

def strays(texts):
    here, there = "Hier steht ein ganzer Satz.", "Nous ne savons pas ce que cela veut dire."
    return [there if len(text) % 2 else f"{here} {len(text)}" for text in texts]

def slips(texts):
    return [text if "old bread" in text else "Hier steht ein ganzer Satz." for text in texts]
"""
COPIES, STRAYS = "python:aside:copies", "python:aside:strays"
STUDIES = ("wordorder", "surface", "grammar", "isometry", "repairs")
identified = pytest.mark.skipif(find_spec("py3langid") is None, reason="needs py3langid")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with translators that do not translate."""
    (tmp_path / "aside.py").write_text(SYSTEMS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "aside", raising=False)
    return tmp_path


def _study(name: str, *systems: str, more: tuple[str, ...] = ("--no-report",)) -> int:
    pair = "de-en" if name == "isometry" else "en-de"
    named = [word for system in systems for word in ("--system", system)]
    how = ("--limit", "6", "--workers", "0", "--no-cache", "--out", "run", *more)
    return main([name, "--shipped", "-l", pair, *named, *how, *judge(name)])


@pytest.mark.parametrize("study", STUDIES)
def test_a_system_that_copies_is_told_before_its_numbers_and_a_control_is_not(
    study: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _study(study, COPIES, "copy") == 0
    first = capsys.readouterr().out.splitlines()[0]
    found = {one.system: one for one in answered([Run(desk / "run")])}
    one, control = found[COPIES], found["copy"]
    assert 0.7 * one.rows < one.copied <= one.rows
    assert (control.copied, control.rows) == (one.copied, one.rows)
    assert first == (
        f"{COPIES} left {one.copied} of {one.rows} rows untranslated in {one.pair}: they are "
        "copies of the source."
    )
    cautions = Session(Run(desk / "run")).contents.cautions
    assert [caution for caution in cautions if "untranslated" in caution] == [first]


@identified
@pytest.mark.parametrize("study", STUDIES)
def test_another_language_is_told_by_its_name(
    study: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _study(study, STRAYS, more=("--no-report", "--format", "json")) == 0
    (told,) = json.loads(capsys.readouterr().out)["answers"]
    assert told["copied"] == told["failed"] == 0
    assert told["other_language"]["fr"] > 0
    rows = Run(desk / "run").table(Pair.parse(told["pair"]), STRAYS)
    assert told["rows"] == rows.height
    assert sum(told["other_language"].values()) == rows["untranslated"].count()
    cautions = Session(Run(desk / "run")).contents.cautions
    (caution,) = (one for one in cautions if "untranslated" in one)
    assert "in another language (French " in caution


def test_few_are_counted_but_not_told(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"We have {n} apples in the old house" for n in range(60)]
    Path("in.en").write_text("\n".join(["Tom eats the old bread", *lines]) + "\n")
    how = ("--workers", "0", "--no-cache", "--no-report", "--out", "run", "--with", "addFinalMark")
    system = ("--system", "python:aside:slips")
    assert main(["surface", "in.en", "-l", "en-de", *system, *how, "--format", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["answers"]
    assert 0 < told["copied"] < 3
    cautions = Session(Run(desk / "run")).contents.cautions
    assert not [one for one in cautions if "untranslated" in one]


def test_untranslated_is_an_outcome_with_a_share_that_check_compares(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _study("wordorder", COPIES, more=("--no-report", "--format", "json")) == 0
    scores: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["scores"]
    shares = {row["name"]: row["value"] for row in scores if row["variant"] == "all"}
    assert shares["untranslated"] > 0.8
    parts = ("repaired", "carried", "lost", "mixed", "untranslated")
    assert sum(shares[name] for name in parts) == pytest.approx(1)
    assert main(["check", "run", "--max", "untranslated=0.02"]) == 1
    assert capsys.readouterr().err == ""
    assert main(["check", "run", "--max", "untranslated=1"]) == 0


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_has_a_share_of_untranslated_rows(
    study: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _study(study, COPIES) == 0
    capsys.readouterr()
    assert main(["check", "run", "--max", "untranslated=0.02"]) == 1
    assert "untranslated@all = " in capsys.readouterr().out
    summary = Session(Run(desk / "run")).summary
    shares = summary.filter(summary["name"] == "untranslated")["value"].drop_nulls()
    assert max(shares.to_list()) > 0.7


def test_a_gate_on_something_else_says_that_rows_are_untranslated(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _study("wordorder", COPIES, "copy") == 0
    capsys.readouterr()
    assert main(["check", "run", "--max", "lost=0.5"]) == 0
    said = capsys.readouterr().err
    assert f"{COPIES} left" in said
    assert "add --max untranslated=0.03" in said
    assert "hyperbaton: copy left" not in said


def test_the_first_screen_of_the_page_says_it(desk: Path) -> None:
    assert _study("surface", COPIES, "cmd:false", more=()) == 1
    page = Path("run/report.html").read_text()
    first = page[page.index("<main") : page.index("<section")]
    assert f"{COPIES} left" in first
    assert "untranslated in en-de" in first
    assert "cmd:false failed on" in first
    assert "(exit code 1)" in first
