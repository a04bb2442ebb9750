"""RB, f-BLEU and the noise ratio of twelve pairs, by hand and by sacreBLEU."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU as SACREBLEU

from hyperbaton.metrics import METRICS
from hyperbaton.studies.grammar.divergence import divergence, pivot
from hyperbaton.studies.grammar.measures import Noise, robustness, similarity

CLEAN = ["a b c d e f", "the cat sat on the mat", "one two three four five"] * 4
NOISY = ["a b c d e g", "the cat sat on a mat", "one two three four five"] * 4
CLEAN_OUT = ["u v w x y z", "die Katze saß auf der Matte", "eins zwei drei vier fünf"] * 4
NOISY_OUT = ["u v w x y z", "eine Katze saß auf der Matte", "eins zwei drei vier fünf"] * 4


def noise() -> Noise:
    target, source = (METRICS.parse("BLEU").for_language(language) for language in ("de", "en"))
    words = [[len(a.split()), len(b.split())] for a, b in zip(CLEAN, CLEAN_OUT, strict=True)]
    return Noise(
        target.statistics(NOISY_OUT, CLEAN_OUT),
        source.statistics(NOISY, CLEAN),
        target,
        source,
        np.array(words, dtype=np.float64),
    )


def test_robustness_by_hand() -> None:
    same = np.array([y == c for y, c in zip(NOISY_OUT, CLEAN_OUT, strict=True)], dtype=np.float64)
    found = robustness(same)
    assert found.value == pytest.approx(8 / 12)
    assert found.interval.low < 8 / 12 < found.interval.high


def test_the_ratio_is_that_of_sacrebleus_corpus_scores() -> None:
    target = SACREBLEU().corpus_score(NOISY_OUT, [CLEAN_OUT]).score
    source = SACREBLEU().corpus_score(NOISY, [CLEAN]).score
    made = noise()
    assert similarity(made.target, made.target_metric).value * 100 == pytest.approx(target)
    assert made.corpus().value == pytest.approx((100 - target) / (100 - source))
    words = made.lengths
    assert words is not None
    ratio = words[:, 0].sum() / words[:, 1].sum()
    assert made.corpus(discount=True).value == pytest.approx(made.corpus().value * ratio)


def test_sentences_without_noise_have_no_ratio() -> None:
    made = noise()
    ratios = made.sentences()
    assert np.isnan(ratios[2::3]).all()
    assert ratios[0] == 0  # the translator repaired the error
    each = SACREBLEU(effective_order=True)
    lost = 100 - each.sentence_score(NOISY_OUT[1], [CLEAN_OUT[1]]).score
    there = 100 - each.sentence_score(NOISY[1], [CLEAN[1]]).score
    assert ratios[1] == pytest.approx(lost / there)
    assert made.mean().value == pytest.approx(lost / there / 2)


def test_without_any_noise_nothing_is_defined() -> None:
    metric = METRICS.parse("BLEU").for_language("en")
    same = metric.statistics(CLEAN, CLEAN)
    assert np.isnan(Noise(same, same, metric, metric).corpus().value)


def test_the_papers_example() -> None:
    texts = (
        "Ich möchte mit Kindern spielen und ihr Lächeln den ganzen Tag sehen",
        "Ich will mit den Kindern spielen und sie den ganzen Tag sehen",
    )
    clean, noisy = (text.split() for text in texts)
    assert divergence(clean, noisy, 7) == [-6, -1, 0]
    assert divergence(clean, noisy, 7, "formula") == [-6, 0]
    assert divergence(clean, clean, 7) == []


def test_the_pivot_is_the_first_link() -> None:
    assert pivot(3, [(3, 8), (3, 6), (1, 0)]) == 6
    assert pivot(2, [(3, 8)]) is None
