"""Spearman's ρ of many resamples, in machine code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.compiled import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@compiled
def resampled_rhos(
    counts: Floats, owners: Ints, first: tuple[Ints, Ints], second: tuple[Ints, Ints]
) -> Floats:
    """ρ of each resample; a side is its places in ascending order, and the number of its value.

    `counts` says how often each owner was drawn, `owners` whose a pair is. Ranks are halves of
    whole numbers, so that sums are exact in any order.
    """
    size = len(owners)
    found = np.empty(len(counts))
    ranks = np.empty(size)
    for resample in range(len(counts)):
        drawn = counts[resample]
        total = 0.0
        for at in range(size):
            total += drawn[owners[at]]
        spreads = 1.0
        together = 0.0
        for side in range(2):
            order, value = first if side == 0 else second
            before, spread, begin = 0.0, 0.0, 0
            while begin < size:
                end, here = begin, 0.0
                while end < size and value[end] == value[begin]:
                    here += drawn[owners[order[end]]]
                    end += 1
                # The mean rank of equal values, beside that of all.
                rank = before + (here - total) / 2
                spread += here * rank * rank
                for place in order[begin:end]:
                    if side == 0:
                        ranks[place] = rank
                    else:
                        together += drawn[owners[place]] * ranks[place] * rank
                before += here
                begin = end
            spreads *= spread
        # Any true spread is at least 1/4.
        found[resample] = together / np.sqrt(spreads) if spreads >= 0.1 else np.nan
    return found
