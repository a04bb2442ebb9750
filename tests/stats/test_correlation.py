"""Correlations, tests and intervals are scipy's; published correlations come out as printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats import Bootstrap, band, pearson, spearman
from hyperbaton.stats.correlation import rank_correlations, ranks, row_ranks
from hyperbaton.stats.resample import FloatArray

ALTERNATIVES: tuple[Literal["greater", "less", "two-sided"], ...] = (
    "greater",
    "less",
    "two-sided",
)
NUMBERS = st.one_of(st.integers(-5, 5).map(float), st.floats(-1e6, 1e6).map(lambda x: x + 0.0))
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=4, max_size=40)


def related(n: int, slope: float, seed: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return x, slope * x + rng.normal(size=n)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("n", "slope"), [(4, 0.5), (43, -0.8), (500, 0.1), (11982, 0.28)])
def test_equal_to_scipy(n: int, slope: float, alternative: Literal["greater", "less"]) -> None:
    x, y = related(n, slope, seed=n)
    theirs = stats.pearsonr(x, y, alternative=alternative)
    ours = pearson(x, y, alternative)
    assert ours.r == pytest.approx(theirs.statistic, abs=1e-13)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-8, abs=1e-300)
    both_sides = stats.pearsonr(x, y).confidence_interval(0.9)
    span = pearson(x, y, interval=0.9).interval
    assert (span.low, span.high) == pytest.approx((both_sides.low, both_sides.high), abs=1e-12)
    ranked = stats.spearmanr(np.round(x, 1), np.round(y, 1), alternative=alternative)
    mine = spearman(np.round(x, 1), np.round(y, 1), alternative)
    assert mine.r == pytest.approx(ranked.statistic, abs=1e-13)
    assert mine.p == pytest.approx(ranked.pvalue, rel=1e-8, abs=1e-300)


@settings(max_examples=200, deadline=None)
@given(PAIRS)
def test_random_input_with_ties(pairs: list[tuple[float, float]]) -> None:
    x, y = (np.array(side) for side in zip(*pairs, strict=True))
    assert ranks(x) == pytest.approx(stats.rankdata(x), abs=0)
    ours = spearman(x, y)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan([ours.r, ours.p, ours.interval.low]).all()
        assert ours.band == "undefined"
    else:
        theirs = stats.spearmanr(x, y, alternative="greater")
        assert ours.r == pytest.approx(theirs.statistic, abs=1e-12)
        if abs(ours.r) < 1 - 1e-9:
            assert ours.p == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-12)
        assert -1 <= ours.r <= 1


@settings(max_examples=50, deadline=None)
@given(PAIRS, st.integers(0, 2**32))
def test_weighted_ranks_are_the_ranks_of_the_resample(
    pairs: list[tuple[float, float]], seed: int
) -> None:
    x, y = (np.array(side) for side in zip(*pairs, strict=True))
    drawn = np.random.default_rng(seed).integers(0, len(x), size=(5, len(x)))
    counts = np.stack([np.bincount(row, minlength=len(x)) for row in drawn]).astype(float)
    for found, row in zip(rank_correlations(counts, x, y), drawn, strict=True):
        if np.ptp(x[row]) == 0 or np.ptp(y[row]) == 0:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(stats.spearmanr(x[row], y[row]).statistic, abs=1e-12)
    owners = np.random.default_rng(seed).integers(0, len(x), size=len(x))
    shared = rank_correlations(counts, x, y, owners)
    apart = rank_correlations(counts[:, owners], x, y)
    assert np.array_equal(shared, apart, equal_nan=True)


def test_bootstrap_intervals_agree_with_scipy_and_fisher() -> None:
    x, y = related(400, 0.6, seed=3)
    spec = Bootstrap(resamples=5000, method="percentile")
    theirs = stats.bootstrap(
        (x, y),
        lambda a, b: stats.pearsonr(a, b).statistic,
        paired=True,
        vectorized=False,
        n_resamples=3000,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    ours = pearson(x, y, interval=spec).interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)
    drawn, formula = spearman(x, y, interval=spec).interval, spearman(x, y).interval
    assert (drawn.low, drawn.high) == pytest.approx((formula.low, formula.high), abs=0.025)
    # 1,200 pairs take the other way to draw counts.
    x, y = related(1200, 0.6, seed=4)
    drawn, formula = pearson(x, y, interval=spec).interval, pearson(x, y).interval
    assert (drawn.low, drawn.high) == pytest.approx((formula.low, formula.high), abs=0.015)


def test_published_correlations_over_eight_corpora() -> None:
    corrections = [3.4, 2.6, 1.8, 1.8, 2.0, 2.4, 3.8, 2.4]
    robustness = [17.77, 21.17, 29.07, 28.80, 20.69, 20.48, 12.42, 16.06]
    f_bleu = [46.75, 54.72, 63.46, 64.79, 59.97, 50.45, 42.05, 37.15]
    f_meteor = [65.29, 70.80, 76.63, 77.35, 74.6, 67.49, 61.99, 58.89]
    found = [pearson(corrections, column).r for column in (robustness, f_bleu, f_meteor)]
    assert [round(r, 3) for r in found] == [-0.823, -0.711, -0.714]


def test_the_published_t_test() -> None:
    """r = .2686 over 3 · 2 · 1,997 labels: t = r·√((n−2)/(1−r²))."""
    n, r = 11982, 0.2686
    x = np.tile([1.0, -1.0], n // 2)
    noise = np.random.default_rng(0).normal(size=n)
    noise -= noise.mean() + x * (noise @ x) / n
    y = r * x + np.sqrt(1 - r**2) * noise / noise.std()
    found = pearson(x, y)
    assert found.r == pytest.approx(r, abs=1e-12)
    t = r * np.sqrt((n - 2) / (1 - r**2))
    assert found.p == pytest.approx(stats.t.sf(t, n - 2), rel=1e-8)
    assert 0 < found.p < 1e-190
    assert found.band == "weak"


@pytest.mark.parametrize(
    ("r", "name"),
    [
        (0.0, "negligible"),
        (0.0999, "negligible"),
        (0.10, "weak"),
        (0.39, "weak"),
        (0.40, "moderate"),
        (0.69, "moderate"),
        (0.70, "strong"),
        (-0.89, "strong"),
        (0.90, "very strong"),
        (-1.0, "very strong"),
        (float("nan"), "undefined"),
    ],
)
def test_schober_bands(r: float, name: str) -> None:
    assert band(r) == name


def test_perfect_constant_and_short_input() -> None:
    perfect = pearson([1, 2, 3, 4], [2, 4, 6, 8])
    assert (perfect.r, perfect.p) == (1.0, 0.0)
    assert (perfect.interval.low, perfect.interval.high) == (1.0, 1.0)
    assert pearson([1, 2, 3, 4], [4, 3, 2, 1]).p == 1.0
    three = pearson([1, 2, 3], [1, 3, 2]).interval
    assert (three.low, three.high) == (-1.0, 1.0)  # as scipy: three pairs tell nothing
    constant = pearson([1, 1, 1], [1, 2, 3], interval=Bootstrap(resamples=10))
    assert np.isnan(constant.r)
    assert np.isnan(constant.interval.high)
    huge = pearson([1e200, 2e200, 4e200], [1e-200, 2e-200, 5e-200])
    assert huge.r == pytest.approx(stats.pearsonr([1, 2, 4], [1, 2, 5]).statistic)


@pytest.mark.parametrize(
    ("x", "y", "sentence"),
    [
        ([1, 2], [1, 2], "at least 3 pairs, not 2"),
        ([1, 2, 3], [1, 2], "same length"),
        ([1, 2, np.nan], [1, 2, 3], "pair 2 holds a value"),
    ],
)
def test_bad_input_gets_one_sentence(x: list[float], y: list[float], sentence: str) -> None:
    for function in (pearson, spearman):
        with pytest.raises(HyperbatonError, match=sentence):
            function(x, y)


PREDICTIONS = Path(__file__).parents[2].parent / "shared" / "data" / "isometry"
DETECTORS = ("bert-base-multilingual-cased", "xlm-roberta-base", "xlm-roberta-large")


@pytest.mark.skipif(not PREDICTIONS.exists(), reason="needs the published predictions")
@pytest.mark.parametrize(
    ("file", "pooled_r", "majority_r"),
    [
        ("fair-wmt19.wmt.wmtp.json", 0.2686, 0.2569),
        ("standard-wmt16.wmt.wmtp.json", 0.2688, 0.2880),
    ],
)
def test_published_predictions(file: str, pooled_r: float, majority_r: float) -> None:
    records = list(json.loads((PREDICTIONS / file).read_text("utf-8")).values())
    sides = ("source", "target")
    chrf = np.array([[record[f"chrf_bar_{side}"] for side in sides] for record in records])
    labels = np.array(
        [
            [[record[_key(record, name, side)] >= 0.5 for name in DETECTORS] for side in sides]
            for record in records
        ]
    )
    pooled = pearson(np.repeat(chrf, 3), labels.ravel())
    assert pooled.n == 3 * 2 * 1997
    assert pooled.r == pytest.approx(pooled_r, abs=5e-5)
    assert pooled.band == "weak"
    pairs = labels[:, 0] * 2 + labels[:, 1]
    votes = np.stack([(pairs == pair).sum(axis=1) for pair in range(4)], axis=1)
    agreed = votes.max(axis=1) >= 2
    winner = votes.argmax(axis=1)
    label = np.column_stack([winner // 2, winner % 2])
    majority = pearson(chrf[agreed].ravel(), label[agreed].ravel(), interval=Bootstrap())
    assert majority.r == pytest.approx(majority_r, abs=5e-5)
    assert majority.r in majority.interval
    assert majority.p < 1e-50


def _key(record: dict[str, object], name: str, side: str) -> str:
    return next(key for key in record if key.startswith(name + ".") and key.endswith(side))


def test_ranks_of_rows_are_scipys() -> None:
    rng = np.random.default_rng(7)
    for shape in ((1, 1), (5, 8), (40, 17), (3, 300)):
        values = rng.integers(0, 9, shape).astype(float)
        assert np.array_equal(row_ranks(values), stats.rankdata(values, axis=1))
    values[1, 5] = np.nan
    found = row_ranks(values)
    assert np.isnan(found[1]).all()
    assert np.array_equal(found, stats.rankdata(values, axis=1), equal_nan=True)
