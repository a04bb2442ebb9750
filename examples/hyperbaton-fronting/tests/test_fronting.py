"""The package by itself; Hyperbaton's own tests call it through the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hyperbaton_fronting.order import LastToFirst
from hyperbaton_fronting.overlap import WordOverlap
from hyperbaton_fronting.study import Fronting

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Sentence
from hyperbaton.metrics import METRICS
from hyperbaton.perturb.perturbation import PERTURBATIONS
from hyperbaton.pipeline import Job, Pair, RunOptions, Starter, execute
from hyperbaton.studies.registry import STUDIES

RNG = Rng(0, "1", "lastToFirst")


@pytest.mark.parametrize("words", [1, 2, 4])
def test_the_order_is_a_permutation(words: int) -> None:
    sentence = Sentence.from_words(["She", "will", "come", "home", "soon", "."])
    order = LastToFirst(words).order(sentence, RNG)
    assert order is not None
    assert sorted(order) == list(range(6))
    assert order[-1] == 5


def test_a_short_sentence_is_left_alone() -> None:
    assert LastToFirst().order(Sentence.from_words(["Go", "!"]), RNG) is None
    with pytest.raises(HyperbatonError, match="at least 1 word"):
        LastToFirst(0)


def test_the_metric_sees_words_and_no_order() -> None:
    metric = WordOverlap(lowercase=True)
    assert metric.sentence_scores(["A b c c"], ["c a b"]) == pytest.approx([6 / 7])
    assert metric.sentence_scores(["", "a"], ["", ""]).tolist() == [1.0, 0.0]
    rows = metric.statistics(["a b", "c"], ["a x", "c"])
    assert metric.from_statistics(rows.sum(axis=0), "corpus") == pytest.approx(4 / 6)
    assert np.array_equal(metric.from_statistics(rows, "sentence"), [0.5, 1.0])


@pytest.mark.parametrize(
    ("registry", "spec"),
    [
        (PERTURBATIONS, LastToFirst(words=3)),
        (METRICS, WordOverlap(lowercase=True)),
        (STUDIES, Fronting(words=2)),
    ],
)
def test_every_name_prints_and_parses_back(registry: object, spec: object) -> None:
    assert registry.parse(str(spec)) == spec  # type: ignore[attr-defined]


def test_a_run_has_a_report(tmp_path: Path) -> None:
    study = Fronting()
    corpus = Starter(Pair.parse("en-de"), limit=12)
    run = execute(
        Job(study, (corpus,), ("gloss",), options=RunOptions(cache=tmp_path / "store")),
        tmp_path / "run",
    )
    contents = study.contents([run])
    assert contents.findings[0].value > 0.5
    (score,) = (
        score
        for score in study.scores([run], "WordOverlap")
        if (score.name, score.variant) == ("moved", "lastToFirst")
    )
    assert score.value == 1  # a permutation keeps every word
    assert score.n == 12
