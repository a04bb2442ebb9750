"""docs/runs.md: what it says of a run folder is so."""

from __future__ import annotations

import re
import shutil
import textwrap
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.cli.main import main
from hyperbaton.pipeline import Pair, Run, RunOptions, execute
from tests.pipeline.small import corpus, job, logged, on_desk, parts

PAGE = Path(__file__).parents[2] / "docs" / "runs.md"
SYSTEM = "python:fake:translate(batch=20)"
EN_DE = Pair("en", "de")

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="the documentation is not here")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    return tmp_path


def test_the_folder_holds_what_the_table_says(desk: Path) -> None:
    run = execute(job(desk, metrics=("chrF",)), desk / "run")
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", PAGE.read_text(), re.MULTILINE))
    assert [name for name, row in rows.items() if "`structure` alone" in row] == [
        "cells/SYSTEM/PAIR/"
    ]
    del rows["cells/SYSTEM/PAIR/"]
    names = {"PAIR": "en-de", "SYSTEM": "python-fake*", "METRIC": "*"}
    said = {re.sub(r"[A-Z]+", lambda word: names[word[0]], name): row for name, row in rows.items()}
    assert [name for name in said if not list((desk / "run").glob(name))] == []
    there = {path.name for path in (desk / "run").iterdir()} - {".lock"}
    assert there == {name.split("/")[0] for name in rows}
    frame = {
        name: pl.read_parquet(next((desk / "run").glob(f"{name}part-00000.parquet")))
        for name in said
        if name.endswith("/")
    }
    probes = frame["probes/en-de/"]
    assert set(probes.group_by("item").len()["len"]) == {3}, "as it is, reversed, shuffled"
    assert {"output", "varied_output", "fault"} <= set(frame["outputs/python-fake*/en-de/"].columns)
    assert "alpha" in frame["measures/en-de/*/"].columns
    scores = frame["scores/python-fake*/en-de/*/"]
    assert {"beta", "beta.statistics"} <= set(scores.columns)
    assert "outcome" in frame["whole/python-fake*/en-de/"].columns
    assert run.record.corpora
    assert run.record.versions


def test_parts_are_parquet_of_256_sentences(desk: Path) -> None:
    assert RunOptions().part == 256
    (desk / "a.en").write_text("".join(f"the cat number {n} sleeps .\n" for n in range(300)))
    study = ["surface", "a.en", "a.en", "-l", "en-de", "--system", "copy", "--with", "upper"]
    assert main([*study, "--workers", "0", "--no-report", "--no-cache", "--out", "run"]) == 0
    there = sorted((desk / "run" / "probes" / "en-de").glob("part-*.parquet"))
    assert [pl.read_parquet(path)["item"].n_unique() for path in there] == [256, 44]


def test_other_programs_open_them(desk: Path) -> None:
    arrow = pytest.importorskip("pyarrow.parquet")
    execute(job(desk), desk / "run")
    for path in (desk / "run").rglob("*.parquet"):
        assert arrow.read_table(path).num_rows == pl.read_parquet(path).height


def test_a_report_needs_nothing_but_the_folder(desk: Path) -> None:
    (desk / "a.en").write_text("".join(f"the cat number {n} sleeps .\n" for n in range(6)))
    study = ["surface", "a.en", "a.en", "-l", "en-de", "--system", SYSTEM, "--with", "upper"]
    assert main([*study, "--workers", "0", "--cache", "store", "--out", "run"]) == 0
    page = (desk / "run" / "report.html").read_bytes()
    (desk / "run" / "report.html").unlink()
    shutil.rmtree(desk / "store")
    for name in ("a.en", "fake.py", "log"):
        (desk / name).unlink()
    assert main(["report", "run"]) == 0
    assert (desk / "run" / "report.html").read_bytes() == page


def test_systems_and_pairs_are_added_and_nothing_is_paid_for_twice(desk: Path) -> None:
    both = job(desk, corpora=(corpus(), corpus(30, "en-fr")), systems=(SYSTEM, "copy"))
    execute(both, desk / "whole")
    asked = logged(desk)
    shutil.rmtree(desk / "cache")
    (desk / "log").unlink()
    execute(job(desk), desk / "run")
    before = parts(desk / "run")
    execute(job(desk, systems=(SYSTEM, "copy")), desk / "run")
    execute(both, desk / "run")
    assert parts(desk / "run") == parts(desk / "whole")
    assert before.items() <= parts(desk / "run").items()
    assert sorted(logged(desk)) == sorted(asked)


def test_the_code_on_the_page_runs(desk: Path) -> None:
    execute(job(desk, metrics=("BLEU", "chrF")), desk / "run")
    text = PAGE.read_text().replace("runs/news", str(desk / "run"))
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)
    code = [textwrap.dedent(block) for block in blocks if "run" in block]
    assert len(code) == 2
    names: dict[str, object] = {}
    for block in code:
        exec(block, names)
    run = names["run"]
    assert isinstance(run, Run)
    assert (run.complete, run.missing(), run.failed()) == (True, [], {})
