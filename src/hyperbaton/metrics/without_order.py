"""The outcome of samples whose variation is no new order of words (docs/outcomes.md).

Letters that moved, or errors: no text shows what a translation would be if they were carried over,
so limits decide, and what they leave open is decided by what can be read back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hyperbaton.metrics.kernels.outcomes import Evidence
from hyperbaton.metrics.metric import Scores

__all__ = ["by_limits", "by_reading"]

_FOREIGN = 0.25
"""Less overlap than this with the reference, and it is not its translation at all."""
_LOST, _WHOLE, _SURE = 0.35, 0.6, 0.85
"""Content below which a sample is lost, from which an orderly one may be repaired, and from which
one is repaired of whose order nothing is known."""
_IN_ORDER, _CROSSED, _LENGTH = 0.65, 0.05, 0.83
"""Where a sample is repaired: how much of a clean text must stand in its order, how many pairs of
words may cross, and how long it must be, for each word of the clean output."""
_CARRIED = 0.4
"""The share of turned pairs from which a sample is carried over."""
_UNKNOWN = 0.5
"""What is said of the order where no pair of words says anything."""
_CLASSES = ("carried", "mixed", "repaired")
_WEIGHTS = np.array(
    [
        [-0.50, 1.97, -3.61, 2.60, -1.04, -0.09, 1.33],
        [1.68, -1.53, -0.67, -1.22, -0.45, -0.15, -0.40],
        [-1.18, -0.44, 4.27, -1.38, 1.49, 0.24, -0.92],
    ]
)
"""What each class begins with; then content, in order, turned, kept, missing, gained."""


def by_limits(
    shown: Evidence, turned: Scores, turning: npt.NDArray[np.float64]
) -> npt.NDArray[np.str_]:
    """What words alone say."""
    translated = turning[:, 2] >= _LOST
    lost = ((shown.content < _LOST) | (shown.reference < _FOREIGN)) & ~translated
    silent = (turned == _UNKNOWN) & (shown.votes.sum(axis=1) + turning[:, 1] == 0)
    orderly = (shown.in_order >= _IN_ORDER) & (shown.crossed <= _CROSSED)
    whole = (shown.content >= _WHOLE) & (shown.length >= _LENGTH) & orderly
    return np.select(
        [lost, silent & (shown.content >= _SURE), silent, turned >= _CARRIED, whole],
        ["lost", "repaired", "mixed", "carried", "repaired"],
        "mixed",
    )


def by_reading(
    content: Scores, in_order: Scores, turned: Scores, readings: npt.NDArray[np.float64]
) -> npt.NDArray[np.str_]:
    """The class with the highest sum for each sample that is not lost."""
    numbers = np.column_stack([np.ones(len(turned)), content, in_order, turned, readings[:, :3]])
    return np.asarray(np.array(_CLASSES)[(numbers @ _WEIGHTS.T).argmax(axis=1)])
