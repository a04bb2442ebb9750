"""Systems on the same sentences: who comes first, by how much, and is that certain?"""

from __future__ import annotations

import json

import polars as pl
import pytest

from hyperbaton.pipeline import Files, Pair, RunOptions
from hyperbaton.report.contents import Contents
from hyperbaton.report.files.latex import latex_table
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.wordorder import WordOrder

SYSTEMS = """
import re

NUMBERS = "eins zwei drei vier fünf sechs sieben".split()
WORDS = dict(zip("beta gamma delta epsilon zeta eta theta".split(), NUMBERS))

def repairs(texts):
    return [" ".join([re.search(r"alpha\\d+", text)[0], *NUMBERS]) for text in texts]

def follows(texts):
    return [" ".join(WORDS.get(word, word) for word in text.split()) for text in texts]

def copies(texts):
    return [f"{text} ja" for text in texts]
"""
COPIES, REPAIRS, FOLLOWS = (f"python:ranked:{name}" for name in ("copies", "repairs", "follows"))


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """One that repairs everything, one that goes word by word, one that copies, and a control."""
    folder = tmp_path_factory.mktemp("ranking")
    (folder / "ranked.py").write_text(SYSTEMS)
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
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        session = run_study(
            WordOrder(perturbations="reversed; wordShuffle"),
            [Files(Pair("en", "de"), (str(path),))],
            [COPIES, REPAIRS, FOLLOWS, "oracle"],
            folder / "run",
            metrics=["chrF", "BLEU"],
            options=RunOptions(
                parsers={"en": "plain", "de": "plain"}, poles=False, cached=False, workers=1
            ),
        )
    return session.contents


def test_the_more_robust_system_leads_and_is_not_called_better(contents: Contents) -> None:
    first, left, clean, repaired = contents.contests
    assert (first.score, first.column) == ("β1", "beta1")
    assert list(first.ranks) == [REPAIRS, FOLLOWS, COPIES]
    assert [rank for rank, _ in first.ranks.values()] == [1, 2, 3]
    assert first.sentence.startswith(f"{REPAIRS} is more robust than {FOLLOWS}: its β1 is higher")
    assert left.sentence.startswith(f"{COPIES} keeps more of its quality than ")
    assert left.ranks[REPAIRS][1][0] == 1
    assert repaired.sentence.startswith(f"{REPAIRS} repairs more than ")
    assert all(duel.certain for duel in first.duels)
    assert {name: rank for name, (rank, _) in clean.ranks.items()} == {
        REPAIRS: 1,
        FOLLOWS: 1,
        COPIES: 3,
    }
    assert clean.sentence.endswith("which is not certain.")


def test_no_control_stands_in_a_ranking(contents: Contents) -> None:
    """By construction none is more robust than the oracle."""
    assert not any("oracle" in contest.ranks for contest in contents.contests)
    assert not any("oracle" in contest.sentence for contest in contents.contests)


def test_no_control_has_a_bold_cell(contents: Contents) -> None:
    text = latex_table(next(table for table in contents.tables if table.id == "T2"))
    rows = {line.partition(" & ")[0]: line for line in text.splitlines() if " & " in line}
    assert "textbf" in rows[REPAIRS]
    assert rows["oracle"].count("1.000") >= 2
    assert "textbf" not in rows["oracle"]


def test_differences_are_per_score_and_perturbation(contents: Contents) -> None:
    table = next(table for table in contents.tables if table.id == "differences").data
    some = table.filter(metric="chrF", first=COPIES, second="oracle")
    assert some.filter(score="β1")["perturbation"].to_list() == ["all", "reversed", "wordShuffle"]
    assert some.filter(score="β")["perturbation"].to_list() == ["identity"]
    assert {"β2 projected", "repaired", "carried", "lost"} <= {*some["score"]}
    assert table.filter(metric="BLEU", perturbation="reversed").height == 0
    other = table.filter(metric="BLEU", first=COPIES, second="oracle", score="β1")
    assert other["perturbation"].to_list() == ["all"]
    assert (some.filter(score="β1").select(pl.col("difference") < 0)).to_series().all()
    assert (some.filter(score="β1")["p"] < 0.05).all()
