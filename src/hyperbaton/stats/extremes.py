"""\"X is the most …\": one condition, or some, against every other.

The lead of the least of some means over the best of the others is biased when it is resampled: a
minimum over noise lies too low, a maximum too high, so a true claim is rejected. Here each of the
named is compared with each competitor, and the comparison that looks worst for the claim decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats.intervals import interval, t_value, tail
from hyperbaton.stats.resample import FloatArray

__all__ = ["Lead", "leads"]


@dataclass(frozen=True)
class Lead:
    """The comparison that decides: `named` minus `rival`, with the p-value of the whole claim.

    The lead is above 0 where the claim looks true. Against it, p is corrected for the number of
    comparisons (Holm); for it, none is needed, since every single comparison has to be clear.
    """

    named: int
    rival: int
    value: float
    low: float
    high: float
    p: float
    comparisons: int


def leads(
    values: FloatArray,
    drawn: NDArray[np.floating],
    inside: Sequence[int],
    outside: Sequence[int],
    items: int,
    sign: int = 1,
    level: float = 0.95,
) -> Lead:
    """Judge whether the means `inside` are the largest (sign −1: the smallest) of all.

    `drawn` holds the means of each resample (resamples × means), `items` counts the items behind
    the means. A mean that is NaN is not compared.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.5, 0.3, 0.2])
    >>> found = leads(values, values + rng.normal(0, 0.02, (1000, 3)), [0], [1, 2], items=200)
    >>> found.named, found.rival, round(found.value, 2), found.p < 0.001
    (0, 1, 0.2, True)
    """
    if not len(inside) or not len(outside):
        raise HyperbatonError(
            "the claim names no mean, or all of them: leave at least one to compare with"
        )
    pairs = [
        (i, j) for i in inside for j in outside if not np.isnan(values[i]) | np.isnan(values[j])
    ]
    if not pairs:
        nan = float("nan")
        return Lead(inside[0], outside[0], nan, nan, nan, nan, 0)
    columns = sign * np.asarray(drawn, dtype=np.float64)
    gaps = [sign * float(values[i] - values[j]) for i, j in pairs]
    t = [
        t_value(gap, columns[:, i] - columns[:, j], items)
        for gap, (i, j) in zip(gaps, pairs, strict=True)
    ]
    worst = int(np.argmin(t))
    named, rival = pairs[worst]
    found = interval(gaps[worst], columns[:, named] - columns[:, rival], items, level)
    one_sided = min(tail(t[worst], items), len(pairs) * tail(-t[worst], items))
    p = float(min(1, 2 * one_sided))
    return Lead(named, rival, gaps[worst], found.low, found.high, p, len(pairs))
