"""What every registered study offers to the command line: words, options, scores."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import Job, Pair, RunOptions, Starter, execute
from hyperbaton.studies.isometry.study import BLEU, CHRF, Isometry
from hyperbaton.studies.layer.experiment import ReadsRecorded, Score
from hyperbaton.studies.registry import STUDIES
from hyperbaton.studies.wordorder import WordOrder

from .predictions import write_predictions

EN_DE = Pair("en", "de")


@pytest.mark.parametrize("name", STUDIES.names())
def test_a_study_says_what_it_asks_and_what_its_options_do(name: str) -> None:
    study = STUDIES.parse(name)
    assert study.title
    assert study.question.endswith("?")
    for option in dataclasses.fields(study):  # type: ignore[arg-type]
        assert option.metadata["help"], option.name
    for pair in study.demo.pairs:
        assert next(study.demo_corpus(Pair.parse(pair), 1).items()).source_text
    assert STUDIES.parse(str(study)) == study


def test_scores_of_wordorder_are_its_means(tmp_path: Path) -> None:
    study = WordOrder(perturbations="reversed; wordShuffle")
    job = Job(
        study,
        (Starter(EN_DE, 20),),
        ("copy",),
        ("chrF", "BLEU"),
        options=RunOptions(workers=0, cached=False),
    )
    run = execute(job, tmp_path)
    rows = {(s.metric, s.variant, s.name): s for s in study.scores([run]) if s.system == "copy"}
    table = run.table(EN_DE, "copy", "chrF")
    means = dict(table.group_by("variant").agg(pl.col("beta1").mean()).iter_rows())
    assert rows["chrF", "reversed", "beta1"].value == pytest.approx(means["reversed"])
    both = (means["reversed"] + means["wordShuffle"]) / 2
    assert rows["chrF", "all", "beta1"].value == pytest.approx(both)
    clean = rows["BLEU", "identity", "beta"]
    assert clean.low < clean.value < clean.high
    assert clean.n == 20
    only = study.scores([run], "BLEU")
    assert {s.metric for s in only} == {"BLEU"}
    paper = {"beta", "beta1", "beta2", "alpha", "alpha_target", "flip"}
    outcomes = {"repaired", "carried", "lost", "mixed", "untranslated"}
    assert {s.name for s in only} == paper | outcomes | {"beta2_projected", "kept"}


def test_scores_of_recorded_predictions_are_the_shares(tmp_path: Path) -> None:
    result = Isometry().recorded([write_predictions(tmp_path / "mine.some.json")])
    shares = {s.name: s.value for s in result.scores if s.metric == "vote"}
    assert shares == {
        "isometric": pytest.approx(2 / 6),
        "ambiguous": pytest.approx(1 / 6),
        "made_equal": pytest.approx(1 / 6),
        "broken_apart": pytest.approx(1 / 6),
        "no_majority": pytest.approx(1 / 6),
    }
    assert {s.extra["procedure"] for s in result.scores if s.name == "r"} == {"majority", "pooled"}
    assert {s.extra["data"] for s in result.scores} == {"some"}


def test_a_score_without_a_value_is_null() -> None:
    nothing = Score("a", "en-de", "all", "BLEU", "beta", float("nan"), 0.1, 0.2, 0, {"data": "x"})
    assert json.loads(json.dumps(nothing.row(), allow_nan=False)) == {
        "system": "a",
        "pair": "en-de",
        "variant": "all",
        "metric": "BLEU",
        "name": "beta",
        "value": None,
        "low": 0.1,
        "high": 0.2,
        "n": 0,
        "data": "x",
    }


def test_isometry_takes_detectors_in_odd_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = "Paraphrase:cosine:m", "Paraphrase:e5-pair(trained=edits)()"
    monkeypatch.setenv("HYPERBATON_E5", __file__)
    assert Isometry().chosen([]) == (CHRF, BLEU, two)
    assert Isometry().chosen([one, one]) == (CHRF, BLEU, one)
    with pytest.raises(HyperbatonError, match="2 detectors cannot always give a majority"):
        Isometry().chosen([one, two])


def test_only_isometry_reads_recorded_answers() -> None:
    assert isinstance(Isometry(), ReadsRecorded)
    assert not isinstance(WordOrder(), ReadsRecorded)
