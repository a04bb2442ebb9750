"""A study of another package goes through the command line to a report, JSON and `check`."""

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
from tests.cli.command import command
from tests.pipeline import foreign
from tests.pipeline.small import FAKE

EN_DE = Pair("en", "de")
SYSTEM = "python:fake:translate(batch=20)"
STUDIES = Path(__file__).parent / "foreign.py"


@dataclass(frozen=True)
class Desk:
    """A folder with the texts and the package that brings the studies."""

    folder: Path

    def __post_init__(self) -> None:
        shutil.copy(foreign.__file__, self.folder / "fakes.py")
        shutil.copy(STUDIES, self.folder / "fake_studies.py")
        text = STUDIES.read_text()
        entries = text.split('ENTRY_POINTS = """\\\n')[1].split('"""')[0]
        (self.folder / "fake.py").write_text(FAKE)
        info = self.folder / "fakes-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fakes\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(foreign.ENTRY_POINTS + entries)
        lines = [
            {"id": f"i{n}", "source": f"a cat number {n} here", "reference": f"eine Katze {n} da"}
            for n in range(14)
        ]
        (self.folder / "a.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")

    def call(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self._run(command(*arguments), variables)

    def _run(self, words: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(filter(None, (str(self.folder), os.environ.get("PYTHONPATH"))))
        log = {"PYTHONPATH": path, "LOG": str(self.folder / "log")}
        return subprocess.run(
            words,
            cwd=self.folder,
            env={**os.environ, **log, **variables},
            capture_output=True,
            text=True,
            timeout=900,
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


def test_it_comes_to_a_report(desk: Desk) -> None:
    found = desk.study("beginnings", SYSTEM, "gloss")
    rows = {(r["system"], r["variant"], r["name"]): r for r in found["scores"]}
    run = Run(desk.folder / "run")
    table = run.table(EN_DE, SYSTEM, "ExactMatch", columns=["variant", "kept", "rank"])
    varied = table.filter(pl.col("variant") != IDENTITY)
    assert rows[SYSTEM, "all", "kept"]["value"] == varied["kept"].mean()
    assert rows[SYSTEM, "beginning", "rank"]["value"] == varied["rank"].mean()
    assert rows[SYSTEM, "beginning", "first"]["value"] == (varied["rank"] == 1).mean()
    page = (desk.folder / "run" / "report.html").read_text()
    for text in (
        "Is a translation longer than that of its beginning?",
        "Differences between systems",
        "Means under ExactMatch",
        "came out the same when they were translated again",
    ):
        assert text in page, text
    assert desk.call("check", "run", "--min", "kept=0").returncode == 0
    failed = desk.call("check", "run", "--min", "kept@beginning=1.1")
    assert (failed.returncode, failed.stdout[:4]) == (1, "FAIL")
    run.layout.whole(SYSTEM, EN_DE).unlink()
    refused = desk.call("check", "run", "--min", "first=0")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no scores of the whole corpus" in refused.stderr


def test_an_outage_is_told_and_made_good(desk: Desk) -> None:
    texts = ("beginnings", "a.jsonl", "-l", "en-de", "--system", SYSTEM)
    how = ("--out", "run", "--workers", "0", "--no-cache")
    down = desk.call(*texts, *how, FAIL="number 5 ")
    assert down.returncode == 1
    assert f"{SYSTEM} failed on 2 of " in down.stderr
    refused = desk.call("check", "run", "--min", "kept=0")
    assert (refused.returncode, "--max-failed" in refused.stderr) == (2, True)
    up = desk.call(*texts, *how)
    assert (up.returncode, up.stderr) == (0, "")
