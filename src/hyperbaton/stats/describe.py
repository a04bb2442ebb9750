"""Mean, standard deviation and skewness of a pool of values, as the divergence figures need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hyperbaton.base.errors import HyperbatonError


@dataclass(frozen=True)
class Moments:
    """µ, σ and γ1 of a population of n values; γ1 is NaN where all values are equal."""

    mean: float
    deviation: float
    skewness: float
    n: int


def moments(values: ArrayLike) -> Moments:
    """The first three population moments.

    >>> moments([0, 0, 0, 4])
    Moments(mean=1.0, deviation=1.7320508075688772, skewness=1.1547005383792517, n=4)
    """
    x = np.asarray(values, dtype=np.float64).ravel()
    if not len(x):
        raise HyperbatonError("no values to describe: the mean of nothing is undefined")
    if not np.isfinite(x).all():
        raise HyperbatonError(f"value {np.argmin(np.isfinite(x))} is not a finite number")
    mean = float(x.mean())
    centred = x - mean
    deviation = float(np.sqrt(np.mean(centred**2)))
    # Rounding leaves a trace of a deviation in equal values; its cube root has no meaning.
    flat = deviation <= 1e-14 * abs(mean)
    third = float("nan") if flat else float(np.mean((centred / deviation) ** 3))
    return Moments(mean, deviation, third, len(x))
