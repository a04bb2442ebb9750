"""What became of samples: the poles, β2 projected, and the numbers that come of both."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY, Job, Pair, Run, Starter, execute
from hyperbaton.studies.wordorder import WordOrder

PAIRS = (Pair("en", "de"), Pair("en", "ja"))
STUDY = WordOrder(perturbations="reversed;wordShuffle;nounSwaps")


def _job(*metrics: str) -> Job:
    corpora = tuple(Starter(pair, 20) for pair in PAIRS)
    return Job(STUDY, corpora, ("copy", "gloss"), metrics, workers=0, cached=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return execute(_job("BLEU", "chrF"), tmp_path_factory.mktemp("outcomes"))


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_poles_have_the_outcomes_they_stand_for(run: Run, pair: Pair) -> None:
    poles = {"oracle": "repaired", "literal": "carried", "copy": "lost"}
    for system, outcome in poles.items():
        table = run.table(pair, system, columns=["variant", "outcome"])
        counts = Counter(table.filter(pl.col("variant") != IDENTITY)["outcome"].to_list())
        assert counts.keys() <= {outcome, "unchanged"}, system
        assert counts[outcome] > 20
        assert table.filter(pl.col("variant") == IDENTITY)["outcome"].is_null().all()


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_projected_reference_has_the_words_of_the_reference_and_its_score(
    run: Run, pair: Pair
) -> None:
    columns = ["variant", "reference", "projected_reference", "varied_output", "beta2_projected"]
    for metric in ("BLEU", "chrF"):
        rows = run.table(pair, "gloss", metric, columns=columns)
        rows = rows.filter(pl.col("variant") != IDENTITY)
        assert rows["projected_reference"].null_count() == 0
        moved = rows.filter(pl.col("projected_reference") != pl.col("reference"))
        assert moved.height > rows.height / 2
        for text, other in moved.select("reference", "projected_reference").iter_rows():
            assert sorted(text.replace(" ", "")) == sorted(other.replace(" ", ""))
        scorer = METRICS.parse(metric).for_language(pair.target)
        texts = rows["varied_output"].to_list(), rows["projected_reference"].to_list()
        wanted = scorer.sentence_scores(*texts).tolist()
        assert rows["beta2_projected"].to_list() == pytest.approx(wanted)


def test_a_metric_that_is_added_gets_its_beta2_projected(run: Run, tmp_path: Path) -> None:
    execute(_job("BLEU"), tmp_path)
    execute(_job("BLEU", "ExactMatch"), tmp_path)
    for metric in ("BLEU", "ExactMatch"):
        found = Run(tmp_path).table(PAIRS[0], "gloss", metric, columns=["item", "beta2_projected"])
        assert found["beta2_projected"].null_count() == 20  # the control


def test_the_signatures_name_the_rule_and_the_aligner(run: Run) -> None:
    assert run.record.whole["en-de"].startswith("outcomes: rule 1, aligned by gloss|dictionary:")
