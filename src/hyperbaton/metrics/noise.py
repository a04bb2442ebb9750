"""The noise ratio: how much noisier translations are than their sources (Anastasopoulos 2019)."""

from __future__ import annotations

import numpy as np

from hyperbaton.metrics.metric import Scores

__all__ = ["noise_ratio"]

_NO_NOISE = 1e-12


def noise_ratio(translations: Scores, sources: Scores) -> Scores:
    """1 − κ(y, ỹ) over 1 − κ(x, x̃), from the two similarities κ.

    x̃ is a corrected source and x the noisy one, ỹ and y are their translations. Above 1 the
    translator magnifies the noise; where x = x̃ there is none to magnify, and the ratio is NaN.

    >>> noise_ratio(np.array([0.5, 1.0, 0.9]), np.array([0.75, 0.75, 1.0]))
    array([ 2.,  0., nan])
    """
    noise = 1 - sources
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(noise > _NO_NOISE, (1 - translations) / noise, np.nan)
