"""The interval and the p-value of any number that has its value in every resample.

A number may be a mean, a difference, an average over languages, a correlation: what counts here is
its value, its values in the resamples and the number of items behind it. How often each kind of
interval holds the truth is measured by `benchmarks/coverage_simulation.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from hyperbaton.errors import HyperbatonError
from hyperbaton.stats.resample import FloatArray
from hyperbaton.stats.results import Interval, checked_level

__all__ = ["Method", "interval", "p_value", "t_value"]

Method = Literal["bca-t", "percentile", "bca", "wilson", "agresti-min"]
_LARGE = 1e9


def interval(
    value: float,
    drawn: FloatArray,
    items: int,
    level: float = 0.95,
    method: Method = "bca-t",
) -> Interval:
    """The interval of a value from its resamples; NaN where fewer than two items are behind it.

    `bca-t` corrects the percentiles for bias and skew (Efron 1987) and widens them for few items
    (Hesterberg 2015); `wilson` is for shares, `agresti-min` for the difference of two shares of
    the same items; `percentile` corrects nothing.

    >>> drawn = np.random.default_rng(1).normal(0.3, 0.1, 10_000)
    >>> print(interval(0.3, drawn, items=10), interval(0.3, drawn, 10, method="percentile"))
    [0.0554, 0.5377] [0.1052, 0.4932]
    """
    checked_level(level)
    known = drawn[~np.isnan(drawn)]
    if items < 2 or not len(known) or not _finite(value, known):
        # One item is drawn again and again: an interval of no width would claim certainty.
        return Interval(np.nan, np.nan, level)
    if method in _OF_SPREAD:
        return _OF_SPREAD[method](value, float(known.std()), items, level)
    low, high = np.quantile(known, _tails(value, known, items, level, method))
    return Interval(float(low), float(high), level)


def t_value(value: float, drawn: FloatArray, items: int, threshold: float = 0.0) -> float:
    """How many standard errors lie between a value and a threshold.

    >>> round(t_value(0.3, np.array([0.2, 0.4]), items=100), 3)
    2.985
    """
    known = drawn[~np.isnan(drawn)]
    if items < 2 or not len(known) or not _finite(value, known):
        return float("nan")
    apart, known = _tamed(value - threshold, known)
    # The spread of a resample is that of n items with the divisor n, hence the factor.
    error = float(known.std()) * np.sqrt(items / (items - 1))
    if error > 1e-9 * abs(apart):
        return float(apart / error)
    return float(np.copysign(np.inf, apart)) if apart else 0.0


def p_value(value: float, drawn: FloatArray, items: int, threshold: float = 0.0) -> float:
    """Two-sided: could the true value be the threshold? By Student's t on the resamples' spread.

    It is never below 2 / 2^n, the chance that n items all lie on the same side.

    >>> p_value(0.3, np.random.default_rng(1).normal(0.3, 0.1, 10_000), items=50) < 0.01
    True
    >>> p_value(1.0, np.ones(1000), items=3)
    0.25
    """
    t = t_value(value, drawn, items, threshold)
    return float(np.clip(2 * tail(abs(t), items), 0, 1)) if not np.isnan(t) else float("nan")


def tail(t: float, items: int) -> float:
    """The chance of at least this t, or of n items all on the same side where that is larger."""
    return max(float(stdtr(items - 1, -t)), 0.5 ** min(items, 1000))


def _tails(value: float, drawn: FloatArray, items: int, level: float, method: Method) -> FloatArray:
    outside = (1 - level) / 2
    if method == "percentile":
        return np.array([outside, 1 - outside])
    if method != "bca-t":
        raise HyperbatonError(f"the method {method} needs the items themselves: use bca-t instead")
    value, drawn = _tamed(value, drawn)
    spread = drawn.std()
    # Resamples may be kept in single precision: what differs by rounding is the same value.
    same = np.abs(drawn - value) <= 1e-6 * max(abs(value), spread)
    below = ((drawn < value) & ~same).mean() + same.mean() / 2
    if not 0 < below < 1 or not spread:
        return np.array([outside, 1 - outside])
    # The skewness of resampled means is that of the items over √n: BCa's acceleration, times 6.
    acceleration = ((drawn - drawn.mean()) ** 3).mean() / spread**3 / 6
    reach = _reach(items, level) * np.sqrt(items / (items - 1))
    bias = ndtri(below)
    shifted = bias + np.array([-reach, reach])
    return np.asarray(ndtr(bias + shifted / np.maximum(1 - acceleration * shifted, 0.1)))


def _finite(value: float, drawn: FloatArray) -> bool:
    return bool(np.isfinite(value) and np.isfinite(drawn).all())


def _tamed(value: float, drawn: FloatArray) -> tuple[float, FloatArray]:
    """Both in another unit where they are so large that their squares or cubes are infinite."""
    largest = float(np.abs(drawn).max())
    return (value / largest, drawn / largest) if largest > _LARGE else (value, drawn)


def _reach(items: int, level: float) -> float:
    """How many standard errors an interval reaches to either side (Student's t)."""
    return float(-stdtrit(items - 1, (1 - level) / 2))


def _wilson(share: float, spread: float, items: int, level: float) -> Interval:
    """Wilson's interval (1927) for as many independent items as the resamples' spread amounts to.

    A share of 0 or 1 has no spread; there the items are counted as they are.
    """
    if not -1e-6 <= share <= 1 + 1e-6:
        raise HyperbatonError(f"a Wilson interval is for shares from 0 to 1, not for {share:g}")
    both = max(share * (1 - share), 0.0)
    variance = spread**2 * items / (items - 1)
    n = both / variance if variance > 1e-12 and both else float(items)
    t = _reach(items, level)
    centre = (share + t**2 / (2 * n)) / (1 + t**2 / n)
    reach = t / (1 + t**2 / n) * np.sqrt(both / n + t**2 / (4 * n**2))
    return Interval(float(max(centre - reach, 0)), float(min(centre + reach, 1)), level)


def _agresti_min(value: float, spread: float, items: int, level: float) -> Interval:
    """Agresti & Min's interval (2005): as if half an item more spoke for either of the two shares.

    Without it, shares that differ in no item at all would have an interval of no width.
    """
    if not -1 - 1e-6 <= value <= 1 + 1e-6:
        raise HyperbatonError(f"a difference of two shares lies between -1 and 1, not at {value:g}")
    n = items + 2
    centre = items * value / n
    squares = items * (items * spread**2 + value**2)
    variance = (squares + 1) / n - centre**2
    reach = _reach(items, level) * np.sqrt(variance / n)
    return Interval(float(max(centre - reach, -1)), float(min(centre + reach, 1)), level)


_OF_SPREAD: dict[str, Callable[[float, float, int, float], Interval]] = {
    "wilson": _wilson,
    "agresti-min": _agresti_min,
}
