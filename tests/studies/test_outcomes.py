"""What became of samples: the poles, β2 projected, and the numbers that come of both."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY, Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.studies.wordorder import WordOrder

PAIRS = (Pair("en", "de"), Pair("en", "ja"))
STUDY = WordOrder(perturbations="reversed;wordShuffle;nounSwaps")


def _job(*metrics: str) -> Job:
    corpora = tuple(Starter(pair, 20) for pair in PAIRS)
    return Job(
        STUDY,
        corpora,
        ("copy", "gloss", "projected"),
        metrics,
        options=RunOptions(workers=0, cached=False),
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return execute(_job("BLEU", "chrF"), tmp_path_factory.mktemp("outcomes"))


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_poles_have_the_outcomes_they_stand_for(run: Run, pair: Pair) -> None:
    poles = {"oracle": "repaired", "literal": "carried", "copy": "untranslated"}
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


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_the_projected_pole_answers_with_the_projected_reference(run: Run, pair: Pair) -> None:
    columns = ["variant", "reference", "projected_reference", "varied_output", "outcome"]
    columns += ["beta2", "beta2_projected"]
    for metric in ("BLEU", "chrF"):
        rows = run.table(pair, "projected", metric, columns=columns)
        rows = rows.filter(pl.col("variant") != IDENTITY)
        moved = rows.filter(pl.col("projected_reference") != pl.col("reference"))
        assert set(moved["outcome"]) <= {"carried", "unchanged"}
        assert moved.height > rows.height / 2
        assert rows["varied_output"].to_list() == rows["projected_reference"].to_list()
        assert rows["beta2_projected"].min() == pytest.approx(1)
        assert rows["beta2"].to_numpy().mean() < 0.9  # the paper's order is another


def test_a_metric_that_is_added_gets_its_beta2_projected(run: Run, tmp_path: Path) -> None:
    execute(_job("BLEU"), tmp_path)
    execute(_job("BLEU", "ExactMatch"), tmp_path)
    for metric in ("BLEU", "ExactMatch"):
        found = Run(tmp_path).table(PAIRS[0], "gloss", metric, columns=["item", "beta2_projected"])
        assert found["beta2_projected"].null_count() == 20  # the control


def test_shares_and_beta2_projected_are_among_the_scores(run: Run) -> None:
    scores = {(s.name, s.variant): s for s in STUDY.scores([run], "BLEU") if s.system == "gloss"}
    assert {"repaired", "carried", "lost", "mixed", "beta2_projected"} <= {n for n, _ in scores}
    for variant in ("all", "reversed"):
        shares = [scores[name, variant] for name in ("repaired", "carried", "lost", "mixed")]
        assert sum(share.value for share in shares) == pytest.approx(1)
        assert all(share.low <= share.value <= share.high for share in shares)
        assert len({share.n for share in shares}) == 1
    table = run.table(PAIRS[1], "gloss", columns=["variant", "outcome"])
    outcomes = table.filter(pl.col("variant") == "reversed", pl.col("outcome") != "unchanged")
    share = (outcomes["outcome"] == "carried").mean()
    assert scores["carried", "reversed"].value == pytest.approx(share)


def test_the_report_says_in_words_what_a_system_does(run: Run) -> None:
    contents = STUDY.contents([run])
    said = {headline.name: headline for headline in contents.headlines}
    assert list(said) == ["copy", "gloss", "projected"]
    assert (
        "carries over 0 %, loses 0 %, leaves 100 % untranslated (mixed: 0 %)."
        in said["copy"].sentence
    )
    sentence = said["gloss"].sentence
    assert re.match(r"gloss keeps \d+ % \[\d+, \d+\] of its quality when the words are", sentence)
    shown = ["β", "β moved", "β1", "β2", "β2 projected", "quality kept"]
    assert list(said["gloss"].numbers) == shown
    assert sum(value for value, _, _ in said["gloss"].shares.values()) == pytest.approx(1)
    table = next(table.data for table in contents.tables if table.id == "outcomes")
    poles = dict(
        table.filter(pl.col("perturbation") == "all")
        .group_by("system")
        .agg(pl.col("repaired", "carried", "untranslated").mean())
        .select("system", pl.concat_list("repaired", "carried", "untranslated"))
        .rows()
    )
    assert poles["oracle"] == [1, 0, 0]
    assert poles["literal"] == [0, 1, 0]
    assert poles["copy"] == [0, 0, 1]
    assert contents.explorer is not None
    assert "outcome" in contents.explorer.filters
    assert "projected_reference" in contents.explorer.texts


def test_the_signatures_name_the_rule_and_the_aligner(run: Run) -> None:
    said = run.record.whole["en-de"]
    assert said.startswith("outcomes: rule 9, aligned by gloss|dictionary:")
    assert ", read in two looks by steered|de-en|" in said
    assert "mode:faithful" in said
    pair = Pair("en", "de")
    assert ", read in" not in replace(STUDY, second_look=False).whole_signature(pair)
    assert ", read in" not in STUDY.whole_signature(Pair("de", "fr"))
