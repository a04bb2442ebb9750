"""The interval and the p-value of any number that has its value in every resample.

A number may be a mean, a difference, an average over languages, a correlation: what counts here is
its value, its values in the resamples and the number of items behind it. How often each kind of
interval holds the truth is measured by `benchmarks/coverage_simulation.py`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import stdtr

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats.corrected import (
    corrected_ends,
    corrected_p,
    student_error,
    student_reach,
)
from hyperbaton.stats.resample import FloatArray
from hyperbaton.stats.results import Interval, checked_level
from hyperbaton.stats.shares import difference_ends, difference_t, share_ends, share_t

__all__ = ["Method", "interval", "p_value", "t_value"]

Method = Literal["bca-t", "percentile", "bca", "wilson", "agresti-min", "student", "fisher"]
_SHARES = {"wilson": (share_ends, share_t), "agresti-min": (difference_ends, difference_t)}
_STRONGEST = 0.999
"""Correlations are taken for no stronger on Fisher's scale, on which 1 is infinite."""


def interval(
    value: float,
    drawn: FloatArray,
    items: int,
    level: float = 0.95,
    method: Method = "bca-t",
) -> Interval:
    """The interval of a value from its resamples, NaN where they cannot give one.

    So it is with fewer than two items, and where all resamples are the same: no width would claim
    certainty. `bca-t` corrects the percentiles for bias and skew (Efron 1987) and widens them for
    few items (Hesterberg 2015); `wilson` is for shares, `agresti-min` for the difference of two
    shares of the same items; both have an interval where there is no spread. `student` is the
    value and so many standard errors, `fisher` the same of a correlation on the scale of Fisher's
    z; `percentile` corrects nothing.

    >>> drawn = np.random.default_rng(1).normal(0.3, 0.1, 10_000)
    >>> print(interval(0.3, drawn, items=10), interval(0.3, drawn, 10, method="percentile"))
    [0.0554, 0.5377] [0.1052, 0.4932]
    """
    checked_level(level)
    if method == "bca":
        raise HyperbatonError("the method bca needs the items themselves: use bca-t instead")
    known = _known(drawn)
    if not _usable(value, known, items, method):
        return Interval(np.nan, np.nan, level)
    if method in _SHARES:
        ends = _SHARES[method][0](value, float(known.std()), items, level)
    elif method in ("student", "fisher"):
        ends = _student_ends(value, known, items, level, method)
    elif method == "bca-t":
        ends = corrected_ends(value, known, items, level)
    else:
        low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
        ends = float(low), float(high)
    return Interval(*ends, level)


def t_value(value: float, drawn: FloatArray, items: int, threshold: float = 0.0) -> float:
    """How many standard errors lie between a value and a threshold.

    >>> round(t_value(0.3, np.array([0.2, 0.4]), items=100), 3)
    2.985
    """
    known = _known(drawn)
    if items < 2 or not len(known) or not _finite(value, known):
        return float("nan")
    apart = value - threshold
    if not _same(known):
        return float(apart / student_error(known, items))
    return float(np.copysign(np.inf, apart)) if apart else 0.0


def p_value(
    value: float,
    drawn: FloatArray,
    items: int,
    threshold: float = 0.0,
    method: Method = "bca-t",
) -> float:
    """Two-sided: could the true value be the threshold? It is below .05 where the interval of the
    same method leaves the threshold out.

    It is never below 2 / 2^n, the chance that n items all lie on the same side.

    >>> p_value(0.3, np.random.default_rng(1).normal(0.3, 0.1, 10_000), items=50) < 0.01
    True
    >>> p_value(1.0, np.ones(1000), items=3)
    0.25
    """
    known = _known(drawn)
    if items < 2 or not len(known) or not _finite(value, known):
        return float("nan")
    if method == "bca-t" and not _same(known):
        return float(np.clip(corrected_p(value, known, items, threshold), 2 * _least(items), 1))
    if method in _SHARES:
        t = _SHARES[method][1](value, float(known.std()), items, threshold)
    elif method == "fisher":
        t = t_value(float(_z(value)), _z(known), items, float(_z(threshold)))
    else:
        t = t_value(value, known, items, threshold)
    return float(np.clip(2 * tail(abs(t), items), 0, 1))


def tail(t: float, items: int) -> float:
    """The chance of at least this t, or of n items all on the same side where that is larger."""
    return max(float(stdtr(items - 1, -t)), _least(items))


def _least(items: int) -> float:
    return float(0.5 ** min(items, 1000))


def _known(drawn: FloatArray) -> FloatArray:
    return np.asarray(drawn[~np.isnan(drawn)], dtype=np.float64)


def _usable(value: float, drawn: FloatArray, items: int, method: Method) -> bool:
    """Whether an interval can be made of the resamples: the one place where that is decided."""
    if items < 2 or not len(drawn) or not _finite(value, drawn):
        return False
    return method in _SHARES or not _same(drawn)


def _finite(value: float, drawn: FloatArray) -> bool:
    return bool(np.isfinite(value) and np.isfinite(drawn).all())


def _same(drawn: FloatArray) -> bool:
    """Whether all resamples are one value; they may be kept in single precision."""
    return bool(np.ptp(drawn) <= 1e-6 * np.abs(drawn).max())


def _student_ends(
    value: float, drawn: FloatArray, items: int, level: float, method: Method
) -> tuple[float, float]:
    reach = student_reach(items, level)
    if method == "student":
        far = reach * student_error(drawn, items)
        return value - far, value + far
    centre, far = float(_z(value)), reach * student_error(_z(drawn), items)
    return min(float(np.tanh(centre - far)), value), max(float(np.tanh(centre + far)), value)


def _z(r: FloatArray | float) -> FloatArray:
    return np.arctanh(np.clip(np.asarray(r, dtype=np.float64), -_STRONGEST, _STRONGEST))
