"""Studies of labels and of vectors go through the command line to a report, JSON and `check`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.pipeline import IDENTITY, Pair, Run
from tests.cli.command import command, script
from tests.pipeline import fakes as systems

EN_DE = Pair("en", "de")
TEXTS = """
import json
from pathlib import Path
from hyperbaton.studies.study import load_contents
print(json.dumps(list(load_contents([Path("run")]).explorer.texts.values())))
"""
STUDIES = Path(__file__).parent / "fakes.py"


@dataclass(frozen=True)
class Desk:
    """A folder with the texts and the package that brings the studies."""

    folder: Path

    def __post_init__(self) -> None:
        shutil.copy(systems.__file__, self.folder / "fakes.py")
        shutil.copy(STUDIES, self.folder / "fake_studies.py")
        text = STUDIES.read_text()
        entries = text.split('ENTRY_POINTS = """\\\n')[1].split('"""')[0]
        info = self.folder / "fakes-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fakes\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(systems.ENTRY_POINTS + entries)
        lines = [
            {"id": f"i{n}", "source": f"a cat number {n} here", "reference": f"eine Katze {n} da"}
            for n in range(14)
        ]
        (self.folder / "a.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")

    def call(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self._run(command(*arguments), variables)

    def texts(self) -> list[str]:
        """What the columns of the sentence table are called."""
        path = self.folder / "texts.py"
        path.write_text(TEXTS)
        done = self._run(script(path), {})
        found: list[str] = json.loads(done.stdout)
        return found

    def _run(self, words: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(filter(None, (str(self.folder), os.environ.get("PYTHONPATH"))))
        log = {"PYTHONPATH": path, "LOG": str(self.folder / "log")}
        return subprocess.run(
            words,
            cwd=self.folder,
            env={**os.environ, **log, **variables},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def study(
        self, name: str, *systems: str, **variables: str
    ) -> dict[str, list[dict[str, object]]]:
        named = [word for system in systems for word in ("--system", system)]
        texts = ("a.jsonl", "-l", "en-de", "--workers", "0", "--no-cache")
        done = self.call(name, *texts, *named, "--out", "run", "--format", "json", **variables)
        assert (done.returncode, done.stderr) == (0, "hyperbaton: report: run/report.html\n")
        found: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_labels_come_to_a_report(desk: Desk) -> None:
    found = desk.study("inference", "overlap(least=2)", "overlap(least=9)")
    rows = {(r["system"], r["variant"], r["name"]): r for r in found["scores"]}
    table = Run(desk.folder / "run").table(EN_DE, "overlap(least=2)", "ExactMatch")
    varied = table.filter(pl.col("variant") != IDENTITY)
    assert rows["overlap(least=2)", "all", "kept"]["value"] == varied["kept"].mean()
    assert rows["overlap(least=2)", "all", "accuracy"]["value"] == varied["accuracy"].mean()
    page = (desk.folder / "run" / "report.html").read_text()
    for text in (
        "Does the label stay when two texts change places?",
        "Differences between systems",
        "Means under ExactMatch",
        "came out the same when they were classified again",
    ):
        assert text in page, text
    assert desk.texts() == [
        "source",
        "perturbed source",
        "its second text",
        "perturbed second text",
        "right label",
        "right label of the perturbed source",
        "label",
        "label of the perturbed source",
    ]
    assert desk.call("check", "run", "--min", "kept=0.9").returncode == 0
    failed = desk.call("check", "run", "--min", "accuracy@swapped=1.1")
    assert (failed.returncode, failed.stdout[:4]) == (1, "FAIL")


def test_vectors_come_to_a_report(desk: Desk) -> None:
    found = desk.study("retrieval", "letters", "letters(size=1)")
    rows = {(r["system"], r["variant"], r["name"]): r for r in found["scores"]}
    run = Run(desk.folder / "run")
    whole = run.whole(EN_DE, "letters")
    assert whole is not None
    table = run.table(EN_DE, "letters", columns=["variant", "rank"])
    assert table["rank"].equals(whole["rank"])
    varied = table.filter(pl.col("variant") != IDENTITY)
    row = rows["letters", "beginning", "first"]
    assert (row["metric"], row["value"]) == ("whole", (varied["rank"] == 1).mean())
    assert rows["letters", "beginning", "rank"]["value"] == varied["rank"].mean()
    assert rows["letters", "identity", "first"]["value"] == 1
    page = (desk.folder / "run" / "report.html").read_text()
    for text in ("Is a text found by its beginning?", "Means under whole", "encoded again"):
        assert text in page, text
    assert desk.texts() == ["source", "perturbed source"]
    met = desk.call("check", "run", "--min", "first@identity=1")
    assert (met.returncode, met.stderr) == (0, "")
    assert met.stdout.startswith("ok   letters en-de whole: first@identity = 1.0000")
    (desk.folder / "run" / "whole" / "letters" / "en-de" / "part-00000.parquet").unlink()
    refused = desk.call("check", "run", "--min", "first=0")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no scores of the whole corpus" in refused.stderr


@pytest.mark.parametrize(
    ("name", "system"), [("inference", "overlap(least=2)"), ("retrieval", "letters")]
)
def test_an_outage_is_told_and_made_good(desk: Desk, name: str, system: str) -> None:
    texts = (name, "a.jsonl", "-l", "en-de", "--system", system)
    how = ("--out", "run", "--workers", "0", "--no-cache")
    down = desk.call(*texts, *how, FAIL="number 5 ")
    assert down.returncode == 1
    assert f"{system} failed on 2 of " in down.stderr
    refused = desk.call("check", "run", "--min", "accuracy=0")
    assert (refused.returncode, "--max-failed" in refused.stderr) == (2, True)
    up = desk.call(*texts, *how)
    assert (up.returncode, up.stderr) == (0, "")
