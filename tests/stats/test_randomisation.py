"""Approximate randomisation against exact enumeration, scipy and sacreBLEU."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from scipy import stats

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats import Randomisation, randomisation_test, ratios

from .test_bootstrap import bleu, corpus


def test_every_exchange_of_few_items() -> None:
    rng = np.random.default_rng(0)
    one = np.column_stack([rng.integers(0, 9, 9), rng.integers(5, 12, 9)]).astype(float)
    two = np.column_stack([rng.integers(0, 7, 9), rng.integers(5, 12, 9)]).astype(float)
    found = one[:, 0].sum() / one[:, 1].sum() - two[:, 0].sum() / two[:, 1].sum()
    extreme = 0
    for exchange in product([False, True], repeat=9):
        mask = np.array(exchange)[:, None]
        a, b = np.where(mask, two, one).sum(axis=0), np.where(mask, one, two).sum(axis=0)
        extreme += abs(a[0] / a[1] - b[0] / b[1]) >= abs(found) - 1e-12
    test = randomisation_test(one, two, ratios, Randomisation(trials=40_000))
    assert test.difference == pytest.approx(found)
    assert test.p == pytest.approx(extreme / 2**9, abs=0.01)


@pytest.mark.parametrize("items", [40, 5000])
def test_means_as_in_scipy(items: int) -> None:
    rng = np.random.default_rng(1)
    one = rng.normal(0.0, 1, items)
    two = one + rng.normal(1.5 / np.sqrt(items), 1, items)
    theirs = stats.permutation_test(
        (one, two),
        lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis),
        permutation_type="samples",
        n_resamples=4000,
        vectorized=True,
        rng=np.random.default_rng(0),
    )
    ones = np.ones(items)
    ours = randomisation_test(np.column_stack([one, ones]), np.column_stack([two, ones]), ratios)
    assert ours.difference == pytest.approx(float(theirs.statistic))
    assert ours.p == pytest.approx(float(theirs.pvalue), abs=0.04)
    # Of many items the test is Student's.
    assert ours.p == pytest.approx(stats.ttest_rel(one, two).pvalue, abs=0.02)


def test_bleu_as_in_sacrebleu() -> None:
    first, references = corpus(300, noise=0.30, seed=2)
    second, _ = corpus(300, noise=0.31, seed=2)
    metric = BLEU()
    _, scores = PairedTest(
        [("base", first), ("other", second)], {"BLEU": metric}, [references], "ar", n_samples=2000
    )()
    theirs = scores["BLEU"][1]
    one, two = (metric._extract_corpus_statistics(side, [references]) for side in (first, second))
    ours = randomisation_test(one, two, bleu)
    assert not isinstance(theirs, str)
    assert theirs.p_value is not None
    assert ours.p == pytest.approx(theirs.p_value, abs=0.04)


def test_equal_systems_and_bad_input() -> None:
    rows = np.column_stack([np.arange(20.0), np.ones(20)])
    assert randomisation_test(rows, rows, ratios).p == 1.0
    nothing = randomisation_test(np.zeros((5, 2)), np.zeros((5, 2)), ratios)
    assert np.isnan(nothing.difference)
    assert np.isnan(nothing.p)
    with pytest.raises(HyperbatonError, match="same items"):
        randomisation_test(rows, rows[:-1], ratios)
    with pytest.raises(HyperbatonError, match="at least 1 trial"):
        Randomisation(trials=0)
