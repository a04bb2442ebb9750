"""The interface: bad input, levels, parts, and that a batch is the sum of its pairs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS, Segments

LEXICAL = [
    "BLEU",
    "BLEU(convention=paper, tokens=parsed)",
    "BLEU(symmetric=true)",
    "chrF",
    "chrF++",
    "chrF(symmetric=true)",
    "TER",
    "Levenshtein",
    "LevenshteinDistance(unit=char)",
    "ROUGE-L",
    "ExactMatch",
    "bigramF",
]


def _pairs(size: int) -> tuple[list[str], list[str]]:
    draw = random.Random(0)
    words = ["the", "cat", "sat", "on", "a", "mat", ",", "3.5", "km", "from", "home", "."]
    references = [" ".join(draw.choices(words, k=draw.randrange(9))) for _ in range(size // 4)] * 4
    hypotheses = [" ".join(draw.sample(r.split(), len(r.split()))) for r in references]
    return hypotheses, references


@pytest.mark.parametrize("spec", LEXICAL)
def test_a_batch_is_its_pairs(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = METRICS.parse(spec)
    hypotheses, references = _pairs(60)
    whole = metric.sentence_scores(hypotheses, references)
    alone = [
        metric.sentence_scores([h], [r])[0] for h, r in zip(hypotheses, references, strict=True)
    ]
    np.testing.assert_allclose(whole, alone, rtol=0, atol=1e-12)
    rows = metric.statistics(hypotheses, references)
    np.testing.assert_allclose(metric.from_statistics(rows, "sentence"), whole)
    corpus = metric.corpus_score(hypotheses, references)
    assert metric.from_statistics(rows.sum(axis=0), "corpus") == pytest.approx(corpus)
    parts = Segments.parts
    monkeypatch.setattr(Segments, "parts", lambda self: parts(self, pairs=7, characters=200))
    np.testing.assert_allclose(metric.sentence_scores(hypotheses, references), whole)
    assert metric.corpus_score(hypotheses, references) == pytest.approx(corpus)


@pytest.mark.parametrize("spec", LEXICAL)
def test_a_metric_keeps_its_promises(spec: str) -> None:
    metric = METRICS.parse(spec)
    hypotheses, references = _pairs(60)
    scores = metric.sentence_scores(hypotheses, references)
    low, high = metric.range
    assert np.all((scores >= low) & (scores <= high + 1e-12))
    best = metric.sentence_scores(["so it is , I say"], ["so it is , I say"])[0]
    assert best == pytest.approx(high if metric.higher_is_better else low)
    if metric.symmetric:
        np.testing.assert_allclose(metric.sentence_scores(references, hypotheses), scores)
    assert metric.sentence_scores([], []).shape == (0,)
    assert "|level:sentence|" in metric.signature("sentence")
    assert "|level:corpus|" in metric.signature("corpus")


def test_statistics_may_have_leading_axes() -> None:
    hypotheses, references = _pairs(60)
    draws = np.random.default_rng(0).integers(0, 60, (3, 5, 60))
    for spec in LEXICAL:
        metric = METRICS.parse(spec)
        sums = metric.statistics(hypotheses, references)[draws].sum(axis=2)
        scores = metric.from_statistics(sums, "corpus")
        assert scores.shape == (3, 5)
        assert scores[1, 2] == pytest.approx(metric.from_statistics(sums[1, 2], "corpus"))


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", "b"], ["a"], "2 hypotheses but 1 references: give one for each"),
        (["a", None], ["a", "b"], r"number 2 of the hypotheses is missing \(None\)"),
        (["a"], [3], "number 1 of the references is of type int"),
        ("a", ["b"], "hypotheses are one string: give a list"),
    ],
)
def test_bad_input_gets_one_sentence(
    hypotheses: list[str], references: list[str], message: str
) -> None:
    for spec in LEXICAL:
        with pytest.raises(HyperbatonError, match=message):
            METRICS.parse(spec).sentence_scores(hypotheses, references)


def test_an_unknown_metric_gets_a_hint() -> None:
    with pytest.raises(HyperbatonError, match=r"unknown metric 'BLUE'\. Did you mean 'BLEU'\?"):
        METRICS.parse("BLUE")
    with pytest.raises(HyperbatonError, match="smooth is one of none, floor, add-k, exp"):
        METRICS.parse("BLEU(smooth=ext)")
