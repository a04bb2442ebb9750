"""Many tests at once: Holm's correction keeps the chance of any false alarm at the level."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hyperbaton.base.errors import HyperbatonError

__all__ = ["holm"]


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
