"""Percentiles of resamples corrected for bias, skew and few items (`bca-t`), and their test.

BCa (Efron 1987) with Student's t in place of the normal reach (Hesterberg 2015). The test is
Student's; where it and the 95 % interval disagree, it is the interval turned around. So p is below
.05 exactly where the interval leaves the threshold out.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from hyperbaton.stats.resample import FloatArray

__all__ = ["corrected_ends", "corrected_p", "student_error", "student_reach"]

_FEW = 10
"""Items under which the resamples do not reach as far as the truth may lie: t reaches farther."""
_STEEPEST = 0.1
_LEVEL = 0.95


def student_reach(items: int, level: float) -> float:
    """How many standard errors an interval reaches to either side."""
    return float(-stdtrit(items - 1, (1 - level) / 2))


def student_error(drawn: FloatArray, items: int) -> float:
    """The standard error of a number; resamples have the spread of n items with the divisor n."""
    unit = float(np.abs(drawn).max()) or 1.0  # so that no square is infinite, or 0
    return float(unit * (drawn / unit).std() * np.sqrt(items / (items - 1)))


def corrected_ends(
    value: float, drawn: FloatArray, items: int, level: float
) -> tuple[float, float]:
    """Both ends of the interval; the resamples are finite and not all the same."""
    outside = (1 - level) / 2
    below, acceleration = _shape(value, drawn)
    tails = np.array([outside, 1 - outside])
    if 0 < below < 1:
        reach = student_reach(items, level) * np.sqrt(items / (items - 1))
        bias = ndtri(below)
        shifted = bias + np.array([-reach, reach])
        tails = ndtr(bias + shifted / np.maximum(1 - acceleration * shifted, _STEEPEST))
    low, high = np.quantile(drawn, tails)
    if items < _FEW:
        far = student_reach(items, level) * student_error(drawn, items)
        low, high = min(low, value - far), max(high, value + far)
    return float(low), float(high)


def corrected_p(value: float, drawn: FloatArray, items: int, threshold: float) -> float:
    """Two-sided; on the side of .05 on which the interval has the threshold."""
    t = abs(value - threshold) / student_error(drawn, items)
    p = 2 * float(stdtr(items - 1, -t))
    low, high = corrected_ends(value, drawn, items, _LEVEL)
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
    # What `corrected_ends` does, backwards; there too 1 − a·s has a least value.
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
