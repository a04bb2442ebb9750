"""Intervals and p-values made of resamples alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats import Bootstrap, compare, interval, mean, means, p_value, ratios, spearman
from hyperbaton.stats.intervals import Method
from hyperbaton.stats.resample import count_vectors


def skewed(rng: np.random.Generator, items: int) -> np.ndarray:
    """Scores from 0 to 1, most of them near 0."""
    return np.clip(rng.normal(-0.1, 0.45, items), 0, 1) ** 3


def test_few_skewed_items_are_covered_where_percentiles_fall_short() -> None:
    rng = np.random.default_rng(1)
    truth = skewed(rng, 1_000_000).mean()
    counts = np.concatenate(list(count_vectors(30, 1000, seed=1)))
    hits = {"bca-t": 0, "percentile": 0}
    for _ in range(600):
        values = skewed(rng, 30)
        drawn = counts @ values / 30
        hits["bca-t"] += truth in interval(values.mean(), drawn, 30)
        hits["percentile"] += truth in interval(values.mean(), drawn, 30, method="percentile")
    assert hits["percentile"] / 600 < 0.91
    assert hits["bca-t"] / 600 > hits["percentile"] / 600 + 0.015


@pytest.mark.parametrize("share", [0.05, 0.95])
def test_rare_and_common_shares_are_covered(share: float) -> None:
    rng = np.random.default_rng(2)
    wilson, plain = Bootstrap(method="wilson"), Bootstrap(method="percentile")
    samples = [(rng.random(50) < share).astype(float) for _ in range(400)]
    hits = sum(share in mean(values, wilson).interval for values in samples) / 400
    assert 0.93 <= hits <= 0.985
    assert sum(share in mean(values, plain).interval for values in samples) / 400 < 0.93


def test_many_items_give_the_percentiles() -> None:
    drawn = np.random.default_rng(3).normal(5, 1, 100_000)
    ours = interval(5.0, drawn, items=100_000)
    theirs = interval(5.0, drawn, items=100_000, method="percentile")
    assert ours.low == pytest.approx(theirs.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.high, abs=0.02)


@pytest.mark.parametrize(("count", "items"), [(0, 2000), (9, 500), (500, 1000), (900, 900)])
def test_wilson_of_many_independent_items_is_that_of_scipy(count: int, items: int) -> None:
    values = np.arange(items) < count
    ours = mean(values.astype(float), Bootstrap(resamples=20_000, method="wilson")).interval
    theirs = stats.binomtest(count, items).proportion_ci(method="wilson")
    assert ours.low == pytest.approx(theirs.low, rel=0.03)
    assert ours.high == pytest.approx(theirs.high, rel=0.03)


def test_items_that_go_together_count_as_fewer() -> None:
    once = (np.arange(60) % 10 == 0).astype(float)
    apart = np.stack([np.roll(once, shift) for shift in range(4)], axis=1)
    together = np.stack([once] * 4, axis=1)
    counts = np.concatenate(list(count_vectors(60, 4000, seed=1)))
    wide, narrow = (
        interval(0.1, (counts @ rows / 60).mean(axis=1), 60, method="wilson")
        for rows in (together, apart)
    )
    assert wide.half_width > 1.5 * narrow.half_width


def test_single_precision_changes_nothing() -> None:
    values = (np.arange(50) < 10).astype(float)
    drawn = np.concatenate([c @ values / 50 for c in count_vectors(50, 1000, seed=1)])
    single = interval(0.2, drawn.astype(np.float32).astype(np.float64), 50)
    double = interval(0.2, drawn, 50)
    assert (single.low, single.high) == pytest.approx((double.low, double.high), abs=1e-6)


def test_the_t_test_of_a_mean_is_that_of_scipy() -> None:
    values = np.random.default_rng(4).normal(0.3, 1, 40)
    drawn = np.concatenate([c @ values / 40 for c in count_vectors(40, 100_000, seed=1)])
    ours = p_value(values.mean(), drawn, 40)
    assert ours == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=0.05)
    assert p_value(values.mean(), drawn, 40, threshold=values.mean()) == 1


def test_three_items_decide_nothing() -> None:
    drawn = np.concatenate([c @ [0.5, 0.5, 0.5] / 3 for c in count_vectors(3, 1000, seed=1)])
    assert p_value(0.5, drawn, 3) == 0.25
    assert p_value(0.0, np.zeros(1000), 3) == 1


def test_one_item_has_neither_interval_nor_p() -> None:
    drawn = np.full(1000, 0.4)
    assert np.isnan(interval(0.4, drawn, 1).low)
    assert np.isnan(p_value(0.4, drawn, 1))
    assert np.isnan(interval(np.nan, np.full(10, np.nan), 50).high)


def test_a_difference_of_shares_is_not_taken_for_a_share() -> None:
    first = np.column_stack([np.arange(40) < 4, np.ones(40)])
    second = np.column_stack([np.arange(40) < 12, np.ones(40)])
    found = compare(first, second, ratios, Bootstrap(method="wilson"))
    assert found.difference.value == pytest.approx(-0.2)
    assert found.difference.interval.low < -0.2 < found.difference.interval.high
    assert found.first.interval.low > 0


def test_shares_that_never_differ_may_still_differ() -> None:
    rows = np.column_stack([np.zeros(30), np.ones(30)])
    found = compare(rows, rows, ratios, Bootstrap(method="wilson"))
    assert found.difference.interval.low == -found.difference.interval.high < -0.03
    assert found.first.interval.high > 0.05


def test_spearman_takes_the_corrected_interval() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=60)
    y = x + rng.normal(size=60)
    ours, plain = (
        spearman(x, y, interval=Bootstrap(method=method)).interval
        for method in ("bca-t", "percentile")
    )
    assert ours.low != plain.low
    assert spearman(x, y).r in ours


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: means([[3.0], [4.0]], Bootstrap(method="wilson")), "shares from 0 to 1, not for"),
        (lambda: interval(2.0, np.ones(9), 9, method="agresti-min"), "between -1 and 1, not at 2"),
        (lambda: Bootstrap(method="normal"), "one of bca-t, percentile, wilson"),  # type: ignore[arg-type]
        (
            lambda: spearman([1, 2, 3], [1, 2, 3], interval=Bootstrap(method="wilson")),
            "bca-t or percentile",
        ),
    ],
)
def test_a_method_that_does_not_fit_gets_one_sentence(call: object, sentence: str) -> None:
    assert callable(call)
    with pytest.raises(HyperbatonError, match=sentence):
        call()


@pytest.mark.parametrize("unit", [1e12, 1e30])
def test_the_unit_makes_no_difference(unit: float) -> None:
    """Resamples are kept in single precision, in which the cube of 10¹³ is infinite."""
    drawn = np.random.default_rng(3).gamma(2, 1, 2000)
    large: NDArray[np.float64] = (drawn * unit).astype(np.float32)
    small = interval(2.0, drawn, items=12)
    found = interval(2.0 * unit, large, items=12)
    assert found.low / unit == pytest.approx(small.low, rel=1e-5)
    assert found.high / unit == pytest.approx(small.high, rel=1e-5)
    assert p_value(2.0 * unit, large, 12) == pytest.approx(p_value(2.0, drawn, 12), rel=1e-5)


def test_infinite_resamples_prove_nothing() -> None:
    drawn = np.array([0.5, 0.6, np.inf, 0.4] * 50)
    found = interval(0.5, drawn, items=12)
    assert np.isnan([found.low, found.high]).all()
    assert np.isnan(p_value(0.5, drawn, items=12))
    assert np.isnan(p_value(np.inf, np.ones(9), items=12))


def resamples(rows: NDArray[np.float64], count: int = 1000) -> NDArray[np.float64]:
    """The means of columns, averaged, in every resample."""
    counts = np.concatenate(list(count_vectors(len(rows), count, seed=1)))
    return np.asarray((counts @ rows / len(rows)).reshape(count, -1).mean(axis=1))


@pytest.mark.parametrize("method", ["bca-t", "percentile", "student", "fisher"])
def test_resamples_that_are_all_the_same_give_no_interval(method: Method) -> None:
    for value in (0.0, 0.7, 1.0):
        found = interval(value, np.full(1000, value, dtype=np.float32), 40, method=method)
        assert np.isnan(found.low)
        assert np.isnan(found.high)


@pytest.mark.parametrize("unit", [1e-300, 1e-120, 1e-40])
def test_the_smallest_spread_is_a_spread(unit: float) -> None:
    drawn = np.random.default_rng(1).normal(0, 1, 1000) * unit
    found = interval(0.0, drawn, 20)
    assert found.low < 0 < found.high
    assert p_value(0.0, drawn, 20) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("method", ["bca-t", "student", "wilson", "agresti-min", "fisher"])
def test_values_that_are_not_finite_give_neither_interval_nor_p(method: Method) -> None:
    good = np.linspace(0.1, 0.3, 1000)
    for value, bad in ((np.inf, 0.2), (np.nan, 0.2), (0.2, np.inf), (0.2, -np.inf)):
        drawn = np.append(good, bad)
        assert np.isnan(interval(value, drawn, 30, method=method).low)
        assert np.isnan(p_value(value, drawn, 30, method=method))


def test_interval_and_p_say_the_same() -> None:
    rng = np.random.default_rng(3)
    sides = set()
    for size in (5, 12, 40, 200):
        for _ in range(60):
            values = (rng.random(size) < rng.uniform(0.02, 0.4)) * rng.random(size)
            values -= rng.choice([0.0, 0.03])
            value, drawn = float(values.mean()), resamples(values)
            inside = 0.0 in interval(value, drawn, size)
            p = p_value(value, drawn, size)
            if size > 5 and not np.isnan(interval(value, drawn, size).low):
                assert (p >= 0.05) == inside, (size, value, p)
                sides.add(inside)
    assert sides == {True, False}


@pytest.mark.parametrize(("method", "factor"), [("wilson", 1), ("agresti-min", -1)])
def test_the_tests_of_shares_are_their_intervals_turned_around(method: Method, factor: int) -> None:
    rng = np.random.default_rng(4)
    rows = (rng.random((50, 4)) < 0.3).astype(float)
    value, drawn = factor * rows.mean(), factor * resamples(rows)
    found = interval(value, drawn, 50, method=method)
    for end in (found.low, found.high):
        assert p_value(value, drawn, 50, end, method) == pytest.approx(0.05, abs=1e-6)


def test_one_difference_among_forty_is_no_decision() -> None:
    rows = (np.arange(40) < 1).astype(float)
    drawn = resamples(rows)
    assert 0.0 in interval(1 / 40, drawn, 40, method="agresti-min")
    assert p_value(1 / 40, drawn, 40, method="agresti-min") > 0.05


def test_no_sample_at_all_counts_items_not_samples() -> None:
    found = interval(0.0, resamples(np.zeros((40, 16))), 40, method="wilson")
    theirs = stats.binomtest(0, 40).proportion_ci(method="wilson")
    assert found.high == pytest.approx(theirs.high, rel=0.07)


def test_four_items_are_covered_although_resamples_do_not_reach_far() -> None:
    rng = np.random.default_rng(5)
    counts = np.concatenate(list(count_vectors(4, 1000, seed=1)))
    samples = rng.normal(1, 1, (500, 4))
    hits = sum(1.0 in interval(row.mean(), counts @ row / 4, 4) for row in samples)
    assert 0.92 <= hits / 500 <= 0.98
