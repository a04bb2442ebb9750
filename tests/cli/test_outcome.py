"""What a study prints in the end has no nan, and no minus before what rounds to zero."""

from __future__ import annotations

import argparse
import errno
import io
import json
import math
import re
from pathlib import Path

import polars as pl
import pytest

import hyperbaton as hb
from hyperbaton.cli.main import main
from hyperbaton.cli.terminal.results import as_text, show
from hyperbaton.report.contents import Contents, Contest, Finding, Table
from hyperbaton.studies.repairs import Repairs
from hyperbaton.studies.wordorder import WordOrder
from tests.detectors.plain import judge

pytestmark = pytest.mark.usefixtures("plain_detectors")


@pytest.mark.parametrize(
    ("value", "low", "high", "printed"),
    [
        (0.0251, 0.0111, 0.0391, " + +0.025 [+0.011, +0.039]  β1 > β2"),
        (-0.00004, -0.0011, 0.00049, " + 0.000 [-0.001, 0.000]  β1 > β2"),
        (0.1, math.nan, math.nan, " + +0.100 (no interval)  β1 > β2"),
        (0.1, -math.inf, math.inf, " + +0.100 (no interval)  β1 > β2"),
    ],
)
def test_a_finding_in_a_line(
    value: float, low: float, high: float, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = Finding("β1 > β2", "mean β1 − β2", value, low, high, "holds")
    contents = Contents("Title", "One sentence.", [finding], [], [], None, [], "")
    show(WordOrder(), contents, [], [], None, argparse.Namespace(format="text", open=False))
    first, _, line = capsys.readouterr().out.splitlines()
    assert (first, line) == ("One sentence.", printed)


def test_parts_of_a_claim_stand_further_in_and_an_open_claim_is_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The sentence counts claims, so a reader must be able to count them too."""
    claim = Finding("β1 > β2", "mean β1 − β2", 0.2, 0.1, 0.3, "holds")
    part = Finding("for a", "mean β1 − β2", 0.1, -0.1, 0.3, "undecided", part_of="β1 > β2")
    opened = Finding("β rises", "ρ", 0.2, 0.1, 0.3, "undecided")
    unknown = Finding("β falls", "ρ", 0.2, math.nan, math.nan, "undecided")
    asked = argparse.Namespace(format="text", open=False)
    for findings, noted in (([claim, part, unknown], False), ([claim, part, opened], True)):
        contents = Contents("Title", "1 of 2 claims hold.", findings, [], [], None, [], "")
        show(WordOrder(), contents, [], [], None, asked)
        lines = capsys.readouterr().out.splitlines()
        assert lines[1].startswith("+ holds, - does not hold, ? undecided")
        assert lines[2].startswith(" + ")
        assert lines[3].startswith("     ? ")
        assert ("corrected for so many claims" in lines[-1]) == noted


def test_a_table_in_the_terminal() -> None:
    columns = {"t": [-0.001, -2.0], "mean": [-0.00001, math.nan], "kept": [0.3, math.nan]}
    table = Table("T1", "Means", pl.DataFrame(columns), percent=("kept",))
    assert as_text([table]).splitlines() == [
        "Means",
        "    t    mean    kept",
        " 0.00  0.0000  30.0 %",
        "-2.00       –       –",
    ]


SHIPPED = ("wordorder", "isometry", "surface", "grammar")


def shipped(study: str, folder: Path, *systems: str) -> list[str]:
    """A study on a few of the sentences that are shipped."""
    pair = "de-en" if study == "isometry" else "en-de"
    named = [word for system in systems for word in ("--system", system)]
    return [study, "--shipped", "-l", pair, *named, "--limit", "3", "--out", str(folder / "run"),
            "--no-cache", "--workers", "0", *judge(study)]  # fmt: skip


@pytest.mark.parametrize("study", SHIPPED)
def test_an_outage_of_everything_is_named_and_is_status_1(
    study: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(shipped(study, tmp_path, "cmd:false")) == 1
    said = capfd.readouterr().err
    assert re.search(
        r"cmd:false failed on (\d+) of \1 rows in ..-..(; \d+ times)?: .*\(exit code 1\)", said
    )
    assert "run the same command again" in said


@pytest.mark.parametrize("study", SHIPPED)
def test_an_outage_of_one_system_hides_no_other(
    study: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(shipped(study, tmp_path, "cmd:false", "copy")) == 1
    told = capfd.readouterr()
    assert "cmd:false failed on" in told.err
    assert "copy" in told.out
    assert "report: " in told.out
    assert (tmp_path / "run" / "report.html").exists()


BADLY_PUT = re.compile(
    r"\bnan\b|(?<![\w.])[-−]0(?:\.0+)?(?![\d.])|(?<![\d.,])1 (?!is|was|has|as)[a-z]+s\b"
)


@pytest.mark.parametrize("study", SHIPPED)
def test_a_single_item_reads_well(
    study: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No `nan`, no `-0.000`, no "1 items", on any stream, where there is one of everything."""
    words = [*shipped(study, tmp_path, "copy"), "--limit", "1", "--no-report"]
    assert main(words) == 0
    told = capfd.readouterr()
    assert main([*words, "--format", "json"]) == 0
    names = {score["name"] for score in json.loads(capfd.readouterr().out)["scores"]}
    for name in sorted(names):
        for options in ([], ["--interval"]):
            main(["check", str(tmp_path / "run"), "--min", f"{name}=0", *options])
    checked = capfd.readouterr()
    everything = told.out + told.err + checked.out + checked.err
    assert "copy" in everything
    assert not BADLY_PUT.findall(everything), everything


def test_several_systems_are_ranked_and_a_table_without_rows_is_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    contents = Contents(
        *("Title", "One sentence.", [], [Table("by pair", "Shares", pl.DataFrame())], []),
        *(None, [], ""),
        contests=[Contest("β1", "a is better than b: its β1 is higher by .1.", {}, [], "beta1")],
    )
    show(Repairs(), contents, [], [], None, argparse.Namespace(format="text", open=False))
    said = capsys.readouterr().out
    assert said == "a is better than b: its β1 is higher by .1.\nOne sentence.\n"


@pytest.mark.parametrize(
    ("system", "reason", "helps"),
    [
        ("file:some.jsonl", "not in some.jsonl", "add their translations to some.jsonl, and run"),
        ("recorded:deepl", "no translation was imported", "import their translations with"),
        ("cmd:sed 's/.*[ae].$//'", "the translation is empty", ""),
        ("cmd:false", "(exit code 1)", "run the same command again to translate them"),
    ],
)
def test_why_rows_failed_is_said_with_what_helps(
    system: str,
    reason: str,
    helps: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.en").write_text("Tom sees a tree.\nIt rains.\nWe live here.\n")
    row = {"source": "Tom sees a tree.", "translation": "Tom sieht einen Baum."}
    (tmp_path / "some.jsonl").write_text(json.dumps(row))
    study = ["surface", "in.en", "-l", "en-de", "--with", "upper", "--workers", "0", "--no-report"]
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    assert main([*study, "--system", system, "--out", "run"]) == 1
    first, second = capfd.readouterr().err.splitlines()
    assert re.match(rf"hyperbaton: {re.escape(system)} failed on \d+ of 6 rows in en-de", first)
    assert reason in first
    assert second.startswith("hyperbaton: scores exclude these rows")
    assert (helps in second) if helps else ("rows;" not in second)
    again = system in ("cmd:false", "recorded:deepl")
    assert ("run the same command again" in second) == again
    assert main(["check", "run", "--min", "same=0"]) == 2
    (said,) = capfd.readouterr().err.splitlines()
    assert reason in said
    assert "allow it with --max-failed" in said
    assert ("run the command of run again" in said) == again


def test_several_systems_are_helped_each_in_its_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.jsonl").write_text(json.dumps({"source": "x", "translation": "y"}))
    assert main(shipped("surface", tmp_path, "cmd:false", "file:some.jsonl", "copy")) == 1
    said = capfd.readouterr().err
    assert (
        "rows; for cmd:false, run the same command again to translate them; for file:some.jsonl, "
        "add"
    ) in said


def test_many_systems_are_not_helped_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [f"file:{n}.jsonl" for n in range(5)]
    for name in names:
        row = json.dumps({"source": "x", "translation": "y"})
        (tmp_path / name.removeprefix("file:")).write_text(row)
    assert main([*shipped("surface", tmp_path, *names), "--with", "upper"]) == 1
    said = capfd.readouterr().err.splitlines()
    (last,) = [line for line in said if "scores exclude these rows" in line]
    assert last.count("add their translations to") == 3
    assert last.endswith("; and so on for the others")


def test_a_failure_stays_one_when_nobody_reads_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Gone(io.StringIO):
        """A pipe whose reader left; nothing is buffered, as under PYTHONUNBUFFERED."""

        def write(self, text: str) -> int:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    run = shipped("surface", tmp_path, "cmd:false")
    monkeypatch.setattr("sys.stdout", Gone())
    assert main([*run, "--with", "upper"]) == 1
    assert "cmd:false failed on" in capfd.readouterr().err
    assert main(["check", str(tmp_path / "run"), "--min", "same=0", "--max-failed", "99"]) == 2
    assert "every system failed on every row" in capfd.readouterr().err


def test_what_systems_do_is_said_before_any_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "wordorder --shipped -l en-de --limit 3 --with reversed --no-report --system"
    modes = ("bundled", "--system", "steered(mode=robust)", "--system", "steered(mode=faithful)")
    assert main([*words.split(), *modes, "--out", str(tmp_path / "run")]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[:2] == hb.open(tmp_path / "run").contents.answers[:2]
    assert printed.index("(mode=faithful) keeps") < printed.index("How well a system can be")
