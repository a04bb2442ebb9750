"""Rank correlations over the items of a word-order run, with their resamples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hyperbaton.stats.rank import rank_correlations
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.wordorder_cells import Aggregate, mean_of_known
from hyperbaton.studies.wordorder_summary import Profile

__all__ = ["correlation", "tails"]

Floats = NDArray[np.float64]
_MOST = 20_000
"""Items that a correlation is resampled over; of more, an even choice is taken."""


def correlation(profiles: Sequence[Profile], first: str, second: str) -> Aggregate:
    """Spearman's ρ over items, averaged over systems and languages, with its resamples."""
    values, drawn = [], []
    for profile in profiles:
        a, b = getattr(profile, first), getattr(profile, second)
        # The same items for every ρ of a profile, so that differences are paired.
        known = np.flatnonzero(np.isfinite(profile.beta + profile.beta1 + profile.beta2))
        known = known[:: max(1, -(-len(known) // _MOST))]
        if len(known) < 4:
            continue
        ones = np.ones((1, len(known)))
        values.append(rank_correlations(ones, a[known], b[known])[0])
        drawn.append(
            np.concatenate(
                [
                    rank_correlations(counts, a[known], b[known])
                    for counts in count_vectors(len(known), 1000, 12345)
                ]
            )
        )
    if not values:
        return Aggregate(np.nan, np.nan, np.nan, np.full(1, np.nan))
    all_drawn = mean_of_known(np.stack(drawn, axis=1))
    low, high = tails(all_drawn)
    return Aggregate(float(mean_of_known(np.array([values]))[0]), low, high, all_drawn)


def tails(drawn: Floats) -> tuple[float, float]:
    """Where 95 % of the resamples lie."""
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return np.nan, np.nan
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)
