"""`hyperbaton isometry`: the recorded route."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from tests.studies.predictions import SHARED, write_predictions


def test_recorded_predictions_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_predictions(tmp_path / "mine.set.json")
    assert main(["isometry", "--recorded", str(path), "--format", "json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert {row["M"]: row["count"] for row in tables["T2"]}["[1,1]"] == 2
    assert {row["procedure"] for row in tables["T3"]} == {"majority", "pooled"}
    assert {"n", "r", "t", "p", "band"} <= set(tables["T3"][0])


def test_two_files_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = write_predictions(tmp_path / "one.set.json")
    two = write_predictions(tmp_path / "two.set.json")
    assert main(["isometry", "--recorded", str(one), "--recorded", str(two)]) == 0
    out = capsys.readouterr().out
    assert "T2 frequency of M" in out
    assert out.count("large & base") == 2
    lines = [line for line in out.splitlines() if line.startswith(("one", "two"))]
    assert len(lines) == 2 * (5 + 5 + 4)


def test_published_figures_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    path = SHARED / "isometry" / "fair-wmt19.wmt.wmtp.json"
    if not path.exists():
        pytest.skip("the published predictions are not beside the repository")
    assert main(["isometry", "--recorded", str(path)]) == 0
    out = capsys.readouterr().out
    assert "1394  0.6980" in out
    assert "0.2686" in out
    assert "0.2569" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to judge"),
        (["--recorded", "nowhere.json"], "there is no file nowhere.json"),
        (["--recorded", "nowhere.json", "--epsilon", "1.5"], "above 0 and is at most 1"),
    ],
)
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["isometry", *arguments]) == 2
    assert message in capsys.readouterr().err
