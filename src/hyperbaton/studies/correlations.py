"""Rank correlations with their resamples, drawn over items and averaged over systems and pairs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hyperbaton.stats.rank import rank_correlations
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.aggregates import NOTHING, Aggregate, Floats, mean_of_known

__all__ = ["rank_correlation"]

_MOST = 20_000
"""Items that a correlation is resampled over; of more, an even choice is taken."""


def rank_correlation(pairs: Iterable[tuple[Floats, Floats]]) -> Aggregate:
    """The mean of Spearman's ρ over pairs of columns, each of which has its own items.

    Columns with the same gaps share their resamples, so that differences are paired.
    """
    values, drawn, items = [], [], 0
    for a, b in pairs:
        known = np.flatnonzero(np.isfinite(a) & np.isfinite(b))
        known = known[:: max(1, -(-len(known) // _MOST))]
        if len(known) < 4:
            continue
        items += len(known)
        values.append(rank_correlations(np.ones((1, len(known))), a[known], b[known])[0])
        drawn.append(
            np.concatenate(
                [
                    rank_correlations(counts, a[known], b[known])
                    for counts in count_vectors(len(known), 1000, 12345)
                ]
            )
        )
    if not values:
        return NOTHING
    all_drawn = mean_of_known(np.stack(drawn, axis=1))
    return Aggregate.of(float(mean_of_known(np.array([values]))[0]), all_drawn, items)
