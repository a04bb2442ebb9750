"""An empty translation of a sentence that has words is a lost row, in every study and in check."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.cli.main import main
from hyperbaton.pipeline import Pair, Run
from hyperbaton.studies.registry import STUDIES
from tests.detectors.plain import judge

pytestmark = pytest.mark.usefixtures("plain_detectors")

SYSTEMS = """
import os

def nothing(texts):
    with open("asked", "a") as log:
        log.writelines(text + "\\n" for text in texts)
    return [" " for _ in texts]

def some(texts):
    return ["" if "e" in text.split()[-1] else f"Satz {text.upper()}" for text in texts]
"""
NOTHING, SOME = "python:mute:nothing", "python:mute:some"
EN_DE = Pair("en", "de")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with translators that answer with nothing, always or sometimes."""
    (tmp_path / "mute.py").write_text(SYSTEMS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    monkeypatch.delitem(__import__("sys").modules, "mute", raising=False)
    return tmp_path


def _study(name: str, *systems: str, pair: str = "en-de", limit: int = 4) -> int:
    named = [word for system in systems for word in ("--system", system)]
    how = ("--limit", str(limit), "--workers", "0", "--no-report", "--out", "run")
    return main([name, "--shipped", "-l", pair, *named, *how, *judge(name)])


@pytest.mark.parametrize(
    ("study", "bound"),
    [
        ("grammar", "RB=50"),
        ("surface", "same=0.9"),
        ("wordorder", "beta1=0"),
        ("repairs", "quality=0"),
        ("isometry", "[1,1]=0"),
    ],
)
def test_an_empty_translator_is_not_the_most_robust_of_all(
    study: str, bound: str, desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pair = "de-en" if study == "isometry" else "en-de"
    assert _study(study, NOTHING, pair=pair) == 1
    told = capfd.readouterr()
    assert "as if they had none" not in told.out
    rows = Run(desk / "run").table(Pair.parse(pair), NOTHING)
    assert rows["varied_output"].null_count() == rows.height
    assert set(rows["fault"]) == {"the translation is empty"}
    assert re.search(rf"{NOTHING} failed on {rows.height:,} (of [\d,]+ )?rows", told.err)
    assert main(["check", "run", "--min", bound]) == 2
    assert "failed on" in capfd.readouterr().err


STRUCTURE = ("structure", "--task", "translation", "--with", "FullShuffle", "--seeds", "1",
             "-l", "de", "--limit", "12", "--workers", "0", "--no-report")  # fmt: skip


def test_the_task_of_translation_leaves_empty_translations_out(
    desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([*STRUCTURE, "--system", SOME, "--out", "run"]) == 1
    said = capfd.readouterr().err
    assert re.search(rf"{SOME} failed on \d+ of 24 rows in de-en: the translation is empty", said)
    assert main(["check", "run", "--min", "quality@identity=0"]) == 2
    assert "failed on" in capfd.readouterr().err
    run = Run(desk / "run")
    ((system, pair), failed), *_ = run.failed().items()
    (frame,) = run.grid(pair, system)
    scores, weights = (np.array(frame[name].to_list()) for name in ("scores", "weights"))
    assert (weights == 0).sum() == failed > 0
    assert (scores[weights == 0] == 0).all()
    first = STUDIES.parse(run.record.study).scores([run])[0]
    perturbed = frame["variant"].to_list().index("FullShuffle")
    assert first.value == pytest.approx(scores[perturbed].sum() / weights[perturbed].sum())


def test_the_task_of_translation_counts_copies(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = ("--system", "cmd:cat", "--out", "run")
    assert main([*STRUCTURE, *system, "--format", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["answers"]
    assert 3 < told["copied"] <= told["rows"] == 24
    assert main([*STRUCTURE, *system]) == 0
    assert capsys.readouterr().out.startswith("cmd:cat left ")


def test_the_task_of_translation_says_why_a_system_failed_and_tries_again(
    desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    system = ("--system", "cmd:test -e up && tr a-z A-Z", "--out", "run")
    assert main([*STRUCTURE, *system]) == 2
    said = capfd.readouterr().err
    assert re.search(r"24 of 24 texts in de were not translated; \d+ times: .*exit code 1", said)
    Path("up").touch()
    assert main([*STRUCTURE, *system]) == 0


@pytest.mark.parametrize("study", ["grammar", "surface", "wordorder", "repairs"])
def test_rows_with_empty_translations_are_not_scored_and_others_are(
    study: str, desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _study(study, SOME, limit=12) == 1
    run = Run(desk / "run")
    rows = run.scores().filter(system=SOME)
    lost = rows.filter(rows["varied_output"].is_null())
    assert 0 < lost.height < rows.height
    names = [c.name for c in run.record.comparisons.values() if c.hypothesis == "varied_output"]
    assert names
    for name in names:
        assert lost[name].null_count() == lost.height
        assert rows[name].null_count() < rows.height
    assert main(["check", "run", "--min", "x=0"]) == 2
    assert "failed on" in capfd.readouterr().err


def test_what_was_answered_with_nothing_is_not_asked_again(desk: Path) -> None:
    assert _study("surface", NOTHING) == 1
    asked = Path("asked").read_text()
    before = {path: path.read_bytes() for path in (desk / "run").rglob("*.parquet")}
    assert _study("surface", NOTHING) == 1
    assert Path("asked").read_text() == asked
    assert {path: path.read_bytes() for path in before} == before


def test_a_control_may_be_empty_no_more_than_a_system(
    desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [{"source": "A small house stands here.", "reference": "Hier steht ein Haus."},
            {"source": "The cat sleeps near the stove.", "reference": " "}]  # fmt: skip
    Path("in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    how = ("-l", "en-de", "--with", "upper", "--workers", "0", "--no-report", "--out", "run")
    main(["surface", "in.jsonl", *how, "--system", "oracle"])
    found = Run(desk / "run").table(EN_DE, "oracle")
    empty = found.filter(found["source"].str.starts_with("The cat"))
    assert empty.height
    assert empty["output"].null_count() == empty.height
