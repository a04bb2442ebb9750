"""Ranks with ties at their mean, of values and of resamples of them."""

from __future__ import annotations

import numpy as np

from hyperbaton.stats.resample import FloatArray

__all__ = ["rank_correlations", "ranks"]


def ranks(values: FloatArray) -> FloatArray:
    """1 for the smallest; equal values share the mean of their ranks.

    >>> ranks(np.array([20.0, 10.0, 20.0, 30.0]))
    array([2.5, 1. , 2.5, 4. ])
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def rank_correlations(counts: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Spearman's ρ of each resample, given how often it drew each pair (resamples × pairs).

    The values are sorted once: the mean rank of a value in a resample follows from the running
    sum of the counts in that order.
    """
    u, v = _centred_ranks(counts, a), _centred_ranks(counts, b)
    covariance = np.sum(counts * u * v, axis=1)
    spread = np.sum(counts * u * u, axis=1) * np.sum(counts * v * v, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Ranks are halves of whole numbers: any true spread is at least 1/4.
        return np.asarray(covariance / np.sqrt(np.where(spread < 0.1, np.nan, spread)))


def _centred_ranks(counts: FloatArray, values: FloatArray) -> FloatArray:
    _, place = np.unique(values, return_inverse=True)
    ordered = np.argsort(place, kind="stable")
    first = np.flatnonzero(np.diff(place[ordered], prepend=-1))
    drawn = np.add.reduceat(counts[:, ordered], first, axis=1)
    mean_rank = np.cumsum(drawn, axis=1) - (drawn - 1) / 2
    # Resamples of groups of pairs differ in size.
    middle = (counts.sum(axis=1, keepdims=True) + 1) / 2
    return np.asarray(mean_rank[:, place] - middle)
