"""How good a detector is: accuracy and macro-F1 against labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hyperbaton.base.errors import HyperbatonError


@dataclass(frozen=True)
class Quality:
    """Accuracy, macro-F1 (the mean of both classes' F1), and on how many pairs."""

    accuracy: float
    macro_f1: float
    pairs: int
    positive: float
    """The share of paraphrases: always guessing the larger class has that accuracy or 1 − that."""


def quality(probabilities: ArrayLike, labels: ArrayLike, epsilon: float = 0.5) -> Quality:
    """Compare S (P ≥ ε) with labels of 0 and 1.

    >>> quality([0.9, 0.2, 0.6, 0.4], [1, 0, 0, 0])
    Quality(accuracy=0.75, macro_f1=0.7333333333333334, pairs=4, positive=0.25)
    """
    said = np.asarray(probabilities, dtype=np.float64) >= epsilon
    true = np.asarray(labels) == 1
    if said.shape != true.shape or not len(true):
        raise HyperbatonError("quality needs as many labels as probabilities, at least one")
    scores = []
    for positive in (True, False):
        hits = np.sum((said == positive) & (true == positive))
        named = np.sum(said == positive) + np.sum(true == positive)
        scores.append(2 * hits / named if named else 0.0)
    return Quality(
        float(np.mean(said == true)), float(np.mean(scores)), len(true), float(true.mean())
    )
