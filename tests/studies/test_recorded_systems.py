"""Systems whose translations are in files: all of a folder, all of a WMT suite, line by line."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import hyperbaton as hb
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import IDENTITY
from tests.corpus.wmt_folder import write_wmt


def run_suite(folder: Path) -> hb.Session:
    """The grammar study on the suite with noise, by the systems that come with it."""
    corpus = f"wmt:{write_wmt(folder / 'wmt')}(suite=rocs-mt)"
    return hb.study("grammar", [], "en-es", corpus, out=folder / "run", metrics=["chrF"])


def test_a_suite_brings_its_systems(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    session = run_suite(tmp_path)
    names = session.scores["system"].unique().to_list()
    assert sorted(name.rpartition("name=")[2] for name in names) == ["A)", "B)"]
    assert "C is left out: its 6 lines of this corpus are empty" in caplog.text
    summary = session.summary.filter(pl.col("name") == "RB", pl.col("variant") == "all")
    assert dict(summary.select("system", "value").iter_rows()) == {"A": 100.0, "B": 0.0}
    # The fourth pair is equal, so it is no pair with an error.
    assert "left out: 1 (no error)" in session.run.record.corpora["en-es"]


def test_answers_are_those_of_their_lines(tmp_path: Path) -> None:
    scores = run_suite(tmp_path).scores
    b = scores.filter(pl.col("system").str.ends_with("B)"), pl.col("metric") == "chrF")
    varied = b.filter(pl.col("variant") != IDENTITY)
    assert varied["output"].to_list() == [
        "es: I think so. 3", "es: You are late. 4", "es: Where are you going today? 5"
    ]  # fmt: skip
    # The control is the same sentence in documents ns-…, which B translates otherwise.
    again = b.filter(pl.col("variant") == IDENTITY)
    assert again["varied_output"].to_list() == [
        "es: I think so. 7", "es: You are late. 8", "es: Where are you going today? 9"
    ]  # fmt: skip


def test_a_source_that_comes_once_has_no_control(tmp_path: Path) -> None:
    (tmp_path / "clean.txt").write_text("One.\nTwo.\n")
    (tmp_path / "noisy.txt").write_text("one\ntwo\n")
    folder = tmp_path / "systems"
    folder.mkdir()
    (folder / "sources.txt").write_text("One.\nTwo.\none\ntwo\n")
    (folder / "x y, (1).txt").write_text("Uno.\nDos.\nuno\ndos\n")
    run = hb.study(
        "grammar", f"file:{folder}", "en-es", tmp_path / "noisy.txt", tmp_path / "clean.txt",
        metrics=["chrF"],
    )  # fmt: skip
    rows = run.scores.filter(pl.col("metric") == "chrF")
    assert rows.filter(pl.col("variant") == IDENTITY)["varied_output"].null_count() == 2
    assert rows["fault"].null_count() == rows.height
    assert run.summary["system"].unique().to_list() == ["x y, (1)"]


def test_folders_without_sources_or_translations(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="holds no translations"):
        hb.grammar(f"file:{tmp_path}", "en-es")
    (tmp_path / "A.txt").write_text("x\n")
    with pytest.raises(HyperbatonError, match="is plain text: put its sources"):
        hb.grammar(f"file:{tmp_path}", "en-es")
