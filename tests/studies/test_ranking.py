"""Two systems on the same sentences: who is better, by how much, and is that certain?"""

from __future__ import annotations

import json

import polars as pl
import pytest

from hyperbaton.pipeline import Files, Pair
from hyperbaton.report.contents import Contents
from hyperbaton.studies.runner import run_study
from hyperbaton.studies.wordorder import WordOrder


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """The reference itself against the source as it is, and the perturbed reference."""
    folder = tmp_path_factory.mktemp("ranking")
    lines = [
        {
            "id": f"i{n}",
            "source": f"alpha{n} beta gamma delta epsilon zeta eta theta",
            "reference": f"alpha{n} eins zwei drei vier fünf sechs sieben",
        }
        for n in range(12)
    ]
    path = folder / "corpus.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    session = run_study(
        WordOrder(perturbations="reversed; wordShuffle"),
        [Files(Pair("en", "de"), (str(path),))],
        ["copy", "oracle", "literal"],
        folder / "run",
        metrics=["chrF", "BLEU"],
        parsers={"en": "plain", "de": "plain"},
        poles=False,
        cached=False,
        workers=1,
    )
    return session.contents


def test_the_better_system_leads(contents: Contents) -> None:
    first, clean = contents.contests[:2]
    assert (first.score, first.column) == ("β1", "beta1")
    assert list(first.ranks) == ["oracle", "literal", "copy"]
    assert [rank for rank, _ in first.ranks.values()] == [1, 2, 3]
    assert first.sentence.startswith("oracle is better than literal: its β1 is higher by 0.")
    assert all(duel.certain for duel in first.duels)
    assert {name: rank for name, (rank, _) in clean.ranks.items()} == {
        "oracle": 1,
        "literal": 1,
        "copy": 3,
    }
    assert clean.sentence.endswith("which is not certain.")


def test_differences_are_per_score_and_perturbation(contents: Contents) -> None:
    table = next(table for table in contents.tables if table.id == "differences").data
    some = table.filter(metric="chrF", first="copy", second="oracle")
    assert some.filter(score="β1")["perturbation"].to_list() == ["all", "reversed", "wordShuffle"]
    assert some.filter(score="β")["perturbation"].to_list() == ["identity"]
    assert {"β2 projected", "repaired", "carried", "lost"} <= {*some["score"]}
    assert table.filter(metric="BLEU", perturbation="reversed").height == 0
    other = table.filter(metric="BLEU", first="copy", second="oracle", score="β1")
    assert other["perturbation"].to_list() == ["all"]
    assert (some.filter(score="β1").select(pl.col("difference") < 0)).to_series().all()
    assert (some.filter(score="β1")["p"] < 0.05).all()
