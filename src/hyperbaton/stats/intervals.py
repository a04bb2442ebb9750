"""The interval and the p-value of a number that has its value in every resample; p of many.

A number may be a mean, a difference, an average over languages, a correlation: what counts here is
its value, its values in the resamples and the number of items behind it. How often each kind of
interval holds the truth is measured by `benchmarks/coverage_simulation.py`.

`bca-t` is BCa (Efron 1987) with Student's t in place of the normal reach (Hesterberg 2015). Its
test is Student's; where that and the 95 % interval disagree, it is the interval turned around. So p
is below .05 exactly where the interval leaves the threshold out. Shares and differences of shares
are judged by the spread of the resamples, so that an item with several samples is drawn as one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats.distributions import ndtr, ndtri, stdtr, stdtrit
from hyperbaton.stats.resample import FloatArray
from hyperbaton.stats.results import Interval, checked_level

Method = Literal["bca-t", "percentile", "wilson", "agresti-min", "student", "fisher"]
_OF_SHARES = ("wilson", "agresti-min")
"""Methods that give an interval where all resamples are the same, too."""
_STRONGEST = 0.999
"""Correlations are taken for no stronger on Fisher's scale, on which 1 is infinite."""
_FEW = 10
"""Items under which the resamples do not reach as far as the truth may lie: t reaches farther."""
_STEEPEST = 0.1
_LEVEL = 0.95


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
    known = _known(value, drawn, items)
    if known is None or (method not in _OF_SHARES and _same(known)):
        return Interval(np.nan, np.nan, level)
    if method == "wilson":
        ends = _share_ends(value, float(known.std()), items, level)
    elif method == "agresti-min":
        ends = _difference_ends(value, float(known.std()), items, level)
    elif method == "bca-t":
        ends = _corrected_ends(value, known, items, level)
    elif method == "percentile":
        low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
        ends = float(low), float(high)
    elif method == "student":
        far = _student_reach(items, level) * _student_error(known, items)
        ends = value - far, value + far
    else:
        centre = float(_z(value))
        far = _student_reach(items, level) * _student_error(_z(known), items)
        low, high = float(np.tanh(centre - far)), float(np.tanh(centre + far))
        ends = min(low, value), max(high, value)
    return Interval(*ends, level)


def _t_value(value: float, drawn: FloatArray, items: int, threshold: float = 0.0) -> float:
    """How many standard errors lie between a value and a threshold.

    >>> round(_t_value(0.3, np.array([0.2, 0.4]), items=100), 3)
    2.985
    """
    known = _known(value, drawn, items)
    if known is None:
        return float("nan")
    apart = value - threshold
    if not _same(known):
        return float(apart / _student_error(known, items))
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
    known = _known(value, drawn, items)
    if known is None:
        return float("nan")
    if method == "bca-t" and not _same(known):
        return float(np.clip(_corrected_p(value, known, items, threshold), 2 * _least(items), 1))
    if method == "wilson":
        t = _share_t(value, float(known.std()), items, threshold)
    elif method == "agresti-min":
        centre, error = _adjusted(value, float(known.std()), items)
        t = (centre - threshold) / error
    elif method == "fisher":
        t = _t_value(float(_z(value)), _z(known), items, float(_z(threshold)))
    else:
        t = _t_value(value, known, items, threshold)
    return float(np.clip(2 * max(float(stdtr(items - 1, -abs(t))), _least(items)), 0, 1))


def holm(p_values: ArrayLike) -> tuple[float, ...]:
    """Adjusted p-values (Holm 1979), in the order given; compare each with the level itself.

    A NaN is a test that was not made: it stays NaN and does not count.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    (0.03, 0.06, 0.06, 0.02)
    """
    p = np.asarray(p_values, dtype=np.float64).ravel()
    made = ~np.isnan(p)
    if ((p[made] < 0) | (p[made] > 1)).any():
        raise HyperbatonError("a p-value lies between 0 and 1")
    known = p[made]
    ascending = np.argsort(known, kind="stable")
    steps = known[ascending] * np.arange(len(known), 0, -1)
    adjusted = np.empty_like(known)
    adjusted[ascending] = np.minimum(np.maximum.accumulate(steps), 1)
    result = np.full(len(p), np.nan)
    result[made] = adjusted
    return tuple(result.tolist())


def _least(items: int) -> float:
    return float(0.5 ** min(items, 1000))


def _known(value: float, drawn: FloatArray, items: int) -> FloatArray | None:
    """The resamples that have a value; None where they say nothing: the one place that decides."""
    known = np.asarray(drawn[~np.isnan(drawn)], dtype=np.float64)
    usable = items > 1 and len(known) and np.isfinite(value) and np.isfinite(known).all()
    return known if usable else None


def _same(drawn: FloatArray) -> bool:
    """Whether all resamples are one value; they may be kept in single precision."""
    return bool(np.ptp(drawn) <= 1e-6 * np.abs(drawn).max())


def _z(r: FloatArray | float) -> FloatArray:
    return np.arctanh(np.clip(np.asarray(r, dtype=np.float64), -_STRONGEST, _STRONGEST))


@lru_cache(maxsize=1024)
def _student_reach(items: int, level: float) -> float:
    """How many standard errors an interval reaches to either side."""
    return float(-stdtrit(items - 1, (1 - level) / 2))


def _student_error(drawn: FloatArray, items: int) -> float:
    """The standard error of a number; resamples have the spread of n items with the divisor n."""
    unit = float(np.abs(drawn).max()) or 1.0  # so that no square is infinite, or 0
    return float(unit * (drawn / unit).std() * np.sqrt(items / (items - 1)))


def _corrected_ends(
    value: float, drawn: FloatArray, items: int, level: float
) -> tuple[float, float]:
    """Both ends of the interval; the resamples are finite and not all the same."""
    outside = (1 - level) / 2
    below, acceleration = _shape(value, drawn)
    tails = np.array([outside, 1 - outside])
    if 0 < below < 1:
        reach = _student_reach(items, level) * np.sqrt(items / (items - 1))
        bias = ndtri(below)
        shifted = bias + np.array([-reach, reach])
        tails = ndtr(bias + shifted / np.maximum(1 - acceleration * shifted, _STEEPEST))
    low, high = np.quantile(drawn, tails)
    if items < _FEW:
        far = _student_reach(items, level) * _student_error(drawn, items)
        low, high = min(low, value - far), max(high, value + far)
    return float(low), float(high)


def _corrected_p(value: float, drawn: FloatArray, items: int, threshold: float) -> float:
    """Two-sided; on the side of .05 on which the interval has the threshold."""
    t = abs(value - threshold) / _student_error(drawn, items)
    p = 2 * float(stdtr(items - 1, -t))
    low, high = _corrected_ends(value, drawn, items, _LEVEL)
    outside = not low <= threshold <= high
    if outside == (p < 1 - _LEVEL):
        return p
    inverted, most = _inverted(value, drawn, items, threshold), 1 - _LEVEL
    return min(inverted, float(np.nextafter(most, 0))) if outside else max(inverted, most)


def _inverted(value: float, drawn: FloatArray, items: int, threshold: float) -> float:
    """One minus the level of the interval that ends at the threshold."""
    sign = 1 if value >= threshold else -1
    ordered = np.sort(sign * drawn)
    below, acceleration = _shape(sign * value, ordered)
    edge = 0.5 / len(ordered)
    bias = ndtri(np.clip(below, edge, 1 - edge))
    found = ndtri(np.clip(_place(ordered, sign * threshold), edge, 1 - edge)) - bias
    steep = 1 + acceleration * found
    # What `_corrected_ends` does, backwards; there too 1 − a·s has a least value.
    shifted = found / steep if 0 < steep <= 1 / _STEEPEST else _STEEPEST * found
    distance = max(bias - shifted, 0.0) / np.sqrt(items / (items - 1))
    return 2 * float(stdtr(items - 1, -distance))


def _shape(value: float, drawn: FloatArray) -> tuple[float, float]:
    """The share of resamples below the value, and BCa's acceleration."""
    apart = drawn - value
    # Resamples may be kept in single precision: what differs by rounding is the same value.
    same = np.abs(apart) <= 1e-6 * max(abs(value), np.abs(apart).max())
    apart = apart / np.abs(apart).max()
    spread = apart.std()
    below = ((apart < 0) & ~same).mean() + same.mean() / 2
    # The skewness of resampled means is that of the items over √n: the acceleration, times 6.
    acceleration = ((apart - apart.mean()) ** 3).mean() / spread**3 / 6
    return float(below), float(acceleration)


def _place(ordered: FloatArray, threshold: float) -> float:
    """Which quantile of the resamples the threshold is; of equal ones the highest."""
    count = int(np.searchsorted(ordered, threshold, side="right"))
    if count in (0, len(ordered)):
        return count / len(ordered)
    before, after = ordered[count - 1], ordered[count]
    return float((count - 1 + (threshold - before) / (after - before)) / (len(ordered) - 1))


def _independent(share: float, spread: float, items: int) -> float:
    """As many independent items as the spread amounts to (Kish's effective size).

    A share of 0 or 1 has no spread; there every item counts once, however many samples it has.
    """
    if not -1e-6 <= share <= 1 + 1e-6:
        raise HyperbatonError(f"a Wilson interval is for shares from 0 to 1, not for {share:g}")
    both, variance = share * (1 - share), spread**2 * items / (items - 1)
    return both / variance if variance > 1e-12 and both > 1e-9 else float(items)


def _share_ends(share: float, spread: float, items: int, level: float) -> tuple[float, float]:
    """Wilson's interval (1927)."""
    n, t = _independent(share, spread, items), _student_reach(items, level)
    both = max(share * (1 - share), 0.0)
    centre = (share + t**2 / (2 * n)) / (1 + t**2 / n)
    reach = t / (1 + t**2 / n) * np.sqrt(both / n + t**2 / (4 * n**2))
    return float(max(min(centre - reach, share), 0)), float(min(max(centre + reach, share), 1))


def _share_t(share: float, spread: float, items: int, threshold: float) -> float:
    """How many standard errors lie between a share and a threshold, as Wilson counts them."""
    n = _independent(share, spread, items)
    apart = share - threshold
    error = np.sqrt(max(threshold * (1 - threshold), 0.0) / n)
    return float(apart / error) if error else float(np.copysign(np.inf, apart)) if apart else 0.0


def _adjusted(value: float, spread: float, items: int) -> tuple[float, float]:
    """The difference and its standard error, as if half an item more spoke for either share."""
    if not -1 - 1e-6 <= value <= 1 + 1e-6:
        raise HyperbatonError(f"a difference of two shares lies between -1 and 1, not at {value:g}")
    n = items + 2
    centre = items * value / n
    squares = items * (items * spread**2 + value**2)
    return centre, float(np.sqrt(((squares + 1) / n - centre**2) / n))


def _difference_ends(value: float, spread: float, items: int, level: float) -> tuple[float, float]:
    """Agresti & Min's interval (2005).

    Without the half items, shares that differ in no item would have an interval of no width.
    """
    centre, error = _adjusted(value, spread, items)
    reach = _student_reach(items, level) * error
    return max(centre - reach, -1.0), min(centre + reach, 1.0)
