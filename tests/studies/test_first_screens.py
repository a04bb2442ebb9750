"""The sentences of first screens have the numbers of the tables, and the terminal begins alike."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import hyperbaton as hb
from hyperbaton.cli.terminal.results import show
from hyperbaton.report.contents import Contents
from hyperbaton.studies.isometry.study import DETECTOR, RECORDED
from hyperbaton.studies.registry import make_study

Told = Iterator[tuple[str, float]]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))


def _table(contents: Contents, name: str) -> pl.DataFrame:
    (table,) = (table for table in contents.tables if table.id == name)
    return table.data


def wordorder(contents: Contents) -> Told:
    """Outcomes, and what is left of the quality."""
    rows = _table(contents, "outcomes").filter(system="gloss", perturbation="all")
    row = rows.row(0, named=True)
    for verb, name in (("repairs", "repaired"), ("carries over", "carried"), ("loses", "lost")):
        yield rf"{verb} (\d+) %", 100 * row[name]
    kept = _table(contents, "T2").filter(system="gloss")["kept"][0]
    yield r"keeps (\d+) %", 100 * kept


def repairs(contents: Contents) -> Told:
    """False repairs, and what is mixed up the other way round."""
    row = _table(contents, "by pair").row(0, named=True)
    yield r"translates (\d+) %", 100 * row["false repairs"]
    yield r"and (\d+) %", 100 * row["confused"]


def grammar(contents: Contents) -> Told:
    """Sentences with the same translation, and the noise ratio."""
    row = _table(contents, "T1").row(0, named=True)
    yield r"translates (\d+) %", row["RB"]
    yield r"noise ratio ([\d.]+)", row["NR"]


def obedience(contents: Contents) -> Told:
    """All five outcomes."""
    row = _table(contents, "by form").filter(form="all").row(0, named=True)
    verbs = {"translates": "translated", "answers": "obeyed", "refuses": "refused",
             "leaves": "untranslated"}  # fmt: skip
    for verb, name in verbs.items():
        yield rf"{verb} (\d+) %", 100 * row[name]
    yield r"; (\d+) % \S+ \S+ are neither", 100 * row["neither"]


def isometry(contents: Contents) -> Told:
    """All five outcomes."""
    for row in _table(contents, "T2").iter_rows(named=True):
        name = row["meaning"].partition(" (")[0]
        ends = {"no majority": r"on (\d+) % \[\d+, \d+\] the detectors have no majority"}
        said = ends.get(name, rf"(\d+) % \[\d+, \d+\] [^%]*\({name}\)")
        yield rf"{row['system']}.*?{said}", 100 * row["share"]


def metrics(contents: Contents) -> Told:
    """How much of all damage each metric notices."""
    rows = _table(contents, "T1").filter(damage="all")
    for metric, noticed in rows.select("metric", "noticed").iter_rows():
        yield rf"{re.escape(metric)} notices (\d+) %", 100 * noticed


def structure(contents: Contents) -> Told:
    """The clean score less the mean of all perturbed ones."""
    clean, moved = (_table(contents, name) for name in ("T2", "T1"))
    loss = np.mean(clean["clean"].to_numpy()) - np.mean(moved["accuracy"].to_numpy())
    yield r"loses (−?\d+)", 100 * float(loss)


STUDIES: dict[str, tuple[Callable[[Contents], Told], Callable[[Path], hb.Session]]] = {
    "wordorder": (
        wordorder,
        lambda out: hb.wordorder(
            "gloss", "en-de", limit=12, out=out, perturbations="reversed; nounSwaps", workers=0
        ),
    ),
    "repairs": (repairs, lambda out: hb.repairs("gloss", "en-de", out=out, workers=0)),
    "grammar": (grammar, lambda out: hb.grammar("gloss", "en-de", limit=40, out=out, workers=0)),
    "obedience": (
        obedience,
        lambda out: hb.study("obedience", "gloss", "en-de", out=out, workers=0),
    ),
    "isometry": (
        isometry,
        lambda out: hb.isometry(
            "bundled", "de-en", limit=20, out=out, metrics=f"{DETECTOR}{RECORDED}()", workers=0
        ),
    ),
    "metrics": (
        metrics,
        lambda out: hb.study("metrics", (), "en-de", limit=30, out=out, workers=0),
    ),
    "structure": (structure, lambda out: hb.structure("ngrams", "zh-en", out=out, workers=0)),
}


@pytest.mark.parametrize("study", STUDIES)
def test_sentences_have_the_numbers_of_the_tables(
    study: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, made = STUDIES[study]
    contents = made(tmp_path / "run").contents
    sentences = " ".join(contents.answers)
    known = list(told(contents))
    assert known
    for pattern, value in known:
        said = re.search(pattern, sentences)
        assert said is not None, f"{pattern}: {sentences}"
        number = float(said[1].replace("−", "-"))
        assert number == pytest.approx(value, abs=0.5 if "." not in said[1] else 0.005)
    show(make_study(study, {}), contents, [], [], None, argparse.Namespace(format="text", open=0))
    assert capsys.readouterr().out.startswith(contents.answers[0])
