"""Bootstrap percentiles corrected for bias and acceleration (Efron 1987)."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from hyperbaton.stats.resample import FloatArray
from hyperbaton.stats.scoring import Score, scored

__all__ = ["bca_tails"]

_AT_ONCE = 1 << 20
"""Numbers in a part of the jackknife, so that its memory stays flat."""


def bca_tails(
    rows: FloatArray, score: Score, values: FloatArray, scores: FloatArray, level: float
) -> FloatArray:
    """The percentiles corrected for bias and acceleration (Efron 1987), a pair for each score."""
    left_out = _jackknife(rows, score)
    deviation = np.nanmean(left_out, axis=0) - left_out
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.nansum(deviation**2, axis=0)
        acceleration = np.nansum(deviation**3, axis=0) / (6 * squares**1.5)
        below = (scores < values).mean(axis=0) + (scores == values).mean(axis=0) / 2
        bias = ndtri(below)
        ends = ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
        shifted = bias[:, None] + ends
        tails = ndtr(bias[:, None] + shifted / (1 - acceleration[:, None] * shifted))
    plain = [(1 - level) / 2, (1 + level) / 2]
    return np.where(np.isnan(tails), plain, tails)


def _jackknife(rows: FloatArray, score: Score) -> FloatArray:
    total = rows.sum(axis=0)
    at_once = max(1, _AT_ONCE // rows.shape[1])
    parts = [
        scored(score, total - rows[start : start + at_once])
        for start in range(0, len(rows), at_once)
    ]
    return np.concatenate(parts)
