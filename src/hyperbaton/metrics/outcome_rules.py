"""The rule for outcomes: three looks at a sample, and what decides without an order of words.

The first look is at the words of a sample, the second at how likely translators find it, the third
at what they read in it (docs/outcomes.md). A first sum says whether the sample is lost. If not,
each other outcome has a sum, and the highest one wins. A sum is what it begins with, and so much
for each number.

Where letters moved, or errors came in, no text shows what a translation would be if they were
carried over. There limits decide, and what they leave open is decided by what can be read back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hyperbaton.metrics.kernels.outcomes import Evidence
from hyperbaton.metrics.metric import Scores

__all__ = [
    "BACK",
    "CLASSES",
    "FIRST",
    "SECOND",
    "SURE",
    "THERE",
    "THIRD",
    "WORDS",
    "by_limits",
    "by_reading",
    "weigh",
]


Numbers = npt.NDArray[np.float64]

CLASSES = ("lost", "carried", "mixed", "repaired")
_FIRST = {
    "at first": (5.3, -0.4, 4.92, -3.92),
    "content": (4.97, 1.34, -2.73, 1.39),
    "in order": (-3.17, -4.17, -2.85, 7.02),
    "turned": (-0.14, 3.15, -0.93, -2.22),
    "as output": (-2.76, -0.76, 2.56, -1.8),
    "as varied": (-4.28, 1.62, -1.2, -0.42),
    "lacking": (0.5, 0.45, 1.03, -1.48),
    "added": (-0.69, 0.46, -2.31, 1.85),
    "length": (0.81, 0.23, -0.2, -0.04),
    "reference": (-12.19, 0.3, 0.5, -0.8),
    "translated": (-11.67, 0.55, -1.15, 0.6),
}
"""What the sum of each class begins with, then what the first look weighs, with its weights."""
_SECOND = {
    "at first": (6.01, -0.76, 4.85, -3.49),
    "content": (3.81, 1.69, -3.0, 1.32),
    "in order": (-2.87, -2.13, -2.64, 4.77),
    "turned": (-0.36, 2.41, -0.78, -1.64),
    "as output": (-2.87, -0.23, 2.06, -1.82),
    "as varied": (-3.02, -0.64, -0.46, 1.11),
    "lacking": (-0.87, -0.06, 0.56, -0.5),
    "added": (-2.53, 0.2, -2.26, 2.06),
    "length": (0.18, 0.14, -0.23, 0.08),
    "reference": (-11.95, -0.26, 0.34, -0.09),
    "translated": (-10.75, 0.51, -1.16, 0.65),
    "meant": (0.83, -1.41, 0.56, 0.85),
    "fitting": (-0.74, -0.81, -0.54, 1.36),
}
"""The same of the second look: besides the words, how likely a translator finds the translation
(`hyperbaton.alignment.reading`)."""
_THIRD = {
    "at first": (8.18, -1.99, 3.08, -0.49),
    "content": (3.12, 1.5, -2.81, 1.32),
    "in order": (-3.6, -1.58, -1.55, 3.13),
    "turned": (-0.22, 1.79, -0.78, -1.01),
    "as output": (-2.87, 0.62, 1.26, -1.88),
    "as varied": (-3.61, -0.88, -0.02, 0.9),
    "lacking": (-0.83, 0.08, 0.41, -0.49),
    "added": (-2.72, 0.86, -1.78, 0.92),
    "length": (0.18, 0.01, 0.24, -0.25),
    "reference": (-9.88, -0.25, 0.08, 0.17),
    "translated": (-9.98, 1.0, -0.61, -0.38),
    "meant": (0.35, -0.85, 0.4, 0.46),
    "fitting": (-0.69, -0.62, -0.36, 0.98),
    "kept": (0.05, -0.8, 0.02, 0.79),
    "missing": (0.21, -0.03, -0.23, 0.26),
    "gained": (-0.37, 0.45, -0.24, -0.22),
    "told": (-0.19, -0.45, 0.13, 0.32),
    "risen": (-0.22, 0.22, -0.08, -0.14),
}
"""The same of the third look: besides these, what a translator reads in the translation."""
FIRST, SECOND, THIRD = (
    np.ascontiguousarray(np.array([*w.values()]).T) for w in (_FIRST, _SECOND, _THIRD)
)
"""A row for each class."""
WORDS = tuple(_FIRST)[1:]
THERE = tuple(_SECOND)[len(_FIRST) :]
BACK = tuple(_THIRD)[len(_SECOND) :]
SURE = 0.75, 0.6
"""The probability of the first look, and of the second, from which no further one is taken."""
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


def weigh(numbers: Numbers, weights: Numbers) -> tuple[npt.NDArray[np.str_], Numbers]:
    """The outcome of each sample by what a look has seen, and how likely it is."""
    sums = np.asarray(weights[:, 0] + numbers @ weights[:, 1:].T)
    best = sums[:, 1:].max(axis=1, keepdims=True)
    rest = np.array(CLASSES[1:])[sums[:, 1:].argmax(axis=1)]
    lost = 1 / (1 + np.exp(-sums[:, 0]))
    likely = (1 - lost) / np.exp(sums[:, 1:] - best).sum(axis=1)
    is_lost = sums[:, 0] > 0
    return np.where(is_lost, CLASSES[0], rest), np.where(is_lost, lost, likely)


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
