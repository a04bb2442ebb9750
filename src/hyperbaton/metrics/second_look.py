"""The second look at a sample of which the words alone do not say enough (docs/outcomes.md)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hyperbaton.metrics.metric import Scores

__all__ = ["CLASSES", "NUMBERS", "WEIGHTS", "second_look"]

CLASSES = ("carried", "mixed", "repaired")
NUMBERS = ("content", "in order", "turned", "kept", "missing", "gained")
"""What is weighed: three numbers of the first look, and three of reading back."""
WEIGHTS = np.array(
    [
        [-0.50, 1.97, -3.61, 2.60, -1.04, -0.09, 1.33],
        [1.68, -1.53, -0.67, -1.22, -0.45, -0.15, -0.40],
        [-1.18, -0.44, 4.27, -1.38, 1.49, 0.24, -0.92],
    ]
)
"""A row for each class: what it begins with, then its weight of each number."""


def second_look(
    content: Scores, in_order: Scores, turned: Scores, readings: npt.NDArray[np.float64]
) -> npt.NDArray[np.str_]:
    """The class with the highest sum for each sample."""
    numbers = np.column_stack([np.ones(len(turned)), content, in_order, turned, readings])
    return np.asarray(np.array(CLASSES)[(numbers @ WEIGHTS.T).argmax(axis=1)])
