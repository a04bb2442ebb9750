"""Comparisons that say what they need: their own metrics, and whether controls are scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.detectors.metric import Paraphrase
from hyperbaton.metrics.edits import ExactMatch
from hyperbaton.metrics.metric import Metric, Scores, Segments
from hyperbaton.pipeline import IDENTITY, Comparison, Job, Pair, Run, RunOptions, execute
from hyperbaton.studies.registry import STUDIES
from hyperbaton.studies.wordorder import WordOrder
from tests.pipeline.small import job, logged, on_desk, parts

EN_DE = Pair("en", "de")
SYSTEM = "python:fake:translate(batch=20)"

DETECTOR = "Paraphrase:recorded:e5-pair(commutative=true, partial=true)()"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Every pair that a detector or an exact match is given."""
    pairs: list[tuple[str, str]] = []

    def counted(plain: Callable[..., Scores]) -> Callable[..., Scores]:
        def score_each(self: Metric, segments: Segments) -> Scores:
            pairs.extend(zip(segments.hypotheses, segments.references, strict=True))
            return plain(self, segments)

        return score_each

    for metric in (Paraphrase, ExactMatch):
        monkeypatch.setattr(metric, "score_each", counted(metric.score_each))
    return pairs


def test_detectors_judge_pairs_and_not_their_controls(
    tmp_path: Path, judged: list[tuple[str, str]]
) -> None:
    study = STUDIES.parse("isometry")
    asked = Job(
        design=study,
        corpora=(study.demo_corpus(Pair("de", "en"), 20),),
        systems=("literal",),
        metrics=(DETECTOR,),
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(asked, tmp_path / "run")
    assert len(judged) == 40  # 20 before and 20 after translation
    table = run.table(Pair("de", "en"), "literal", DETECTOR)
    controls = table["variant"] == IDENTITY
    for score in ("before", "after"):
        assert table.filter(controls)[score].null_count() == 20
        assert table.filter(~controls)[score].null_count() == 0


def _study(monkeypatch: pytest.MonkeyPatch, *comparisons: Comparison) -> WordOrder:
    monkeypatch.setattr(WordOrder, "comparisons", property(lambda self: comparisons))
    return WordOrder(perturbations="reversed; wordShuffle")


BETA, BETA1, _, ALPHA, _ = WordOrder().comparisons


def test_a_comparison_has_its_own_metrics(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = replace(BETA1, metrics=("ExactMatch", "chrF"))
    alpha = replace(ALPHA, metrics=("bigramF",))
    run = execute(job(desk, design=_study(monkeypatch, BETA, own, alpha)), desk / "run")
    assert run.metrics == ("Levenshtein", "ExactMatch", "chrF", "bigramF")
    assert run.complete
    assert _scores(run) == {
        "Levenshtein": {"beta"},
        "ExactMatch": {"beta1"},
        "chrF": {"beta1"},
        "bigramF": {"alpha"},
    }
    assert not (run.folder / "scores" / "oracle" / "en-de" / "bigramF").exists()
    assert not (run.folder / "measures" / "en-de" / "chrF").exists()
    assert run.scores().height == 4 * run.table(EN_DE).height * 3


def _scores(run: Run) -> dict[str, set[str]]:
    names = {"beta", "beta1", "alpha"}
    return {m: names & set(run.table(EN_DE, SYSTEM, m).columns) for m in run.metrics}


def test_a_metric_that_compares_more_than_before_is_scored_anew(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = _study(monkeypatch, BETA, replace(BETA1, metrics=("chrF",)))
    run = execute(job(desk, design=study), desk / "run")
    before, texts = parts(run.folder), logged(desk)
    wider = execute(job(desk, design=study, metrics=("Levenshtein", "chrF")), desk / "run")
    assert _scores(wider)["chrF"] == {"beta", "beta1"}
    assert wider.complete
    assert logged(desk) == texts
    after = parts(run.folder)
    changed = {name for name in after if after[name] != before[name]}
    assert {name.split("/")[3] for name in changed if name.startswith("scores")} == {"chrF"}
    assert {name.split("/")[0] for name in changed} == {"scores", "whole"}
    # Asking for less again takes nothing away.
    execute(job(desk, design=study), desk / "run")
    assert parts(run.folder) == after


def test_scores_of_another_comparison_are_refused(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute(job(desk, design=_study(monkeypatch, BETA)), desk / "run")
    other = _study(monkeypatch, replace(BETA, identity=False))
    with pytest.raises(HyperbatonError, match=r"another configuration \(comparison beta"):
        execute(job(desk, design=other), desk / "run")


def test_what_is_not_scored_is_null_and_costs_nothing(
    desk: Path, monkeypatch: pytest.MonkeyPatch, judged: list[tuple[str, str]]
) -> None:
    study = _study(monkeypatch, replace(BETA1, metrics=("ExactMatch", "BLEU"), identity=False))
    run = execute(job(desk, design=study, systems=("copy",), poles=False), desk / "run")
    table = run.table(EN_DE, "copy", "BLEU", ["variant", "beta1", "beta1.statistics"])
    controls = table.filter(pl.col("variant") == IDENTITY)
    assert controls["beta1"].null_count() == controls["beta1.statistics"].null_count() == 40
    rest = run.table(EN_DE, "copy", "ExactMatch").filter(pl.col("variant") != IDENTITY)
    assert len(judged) == rest.select("varied_output", "reference").n_unique()
    assert run.corpus_score(EN_DE, "copy", "BLEU", "beta1").items == 40
