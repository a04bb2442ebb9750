"""The rule for outcomes: two looks at a sample, and what decides without an order of words.

The first look is at the words of a sample, the second at what translators find likely
(docs/outcomes.md). A first sum says whether the sample is lost. If not, each other outcome has a
sum, and the highest one wins. A sum is what it begins with, and so much for each number.

Where letters moved, or errors came in, no text shows what a translation would be if they were
carried over. There limits decide, and what they leave open is decided by what can be read back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hyperbaton.metrics.kernels.outcomes import Evidence
from hyperbaton.metrics.metric import Scores

__all__ = [
    "CLASSES",
    "FIRST",
    "READ",
    "SECOND",
    "SURE",
    "WORDS",
    "by_limits",
    "by_reading",
    "first_look",
    "second_look",
]


Numbers = npt.NDArray[np.float64]

CLASSES = ("lost", "carried", "mixed", "repaired")
_FIRST = {
    "at first": (6.04, -0.47, 4.75, -3.88),
    "content": (5.63, 1.49, -3.04, 1.55),
    "in order": (-4.93, -4.07, -3.02, 7.09),
    "turned": (-0.9, 3.17, -0.94, -2.23),
    "as output": (-4.51, -0.74, 2.46, -1.72),
    "as varied": (-4.01, 1.6, -1.07, -0.53),
    "lacking": (-0.25, 0.52, 0.93, -1.45),
    "added": (-0.41, 0.49, -2.44, 1.95),
    "length": (0.09, 0.3, -0.32, 0.02),
    "reference": (-19.66, 0.54, 0.07, -0.61),
}
"""What the sum of each class begins with, then what the first look weighs, with its weights."""
_SECOND = {
    "at first": (8.02, -2.36, 2.88, -0.12),
    "content": (2.22, 1.85, -3.22, 1.36),
    "in order": (-3.45, -1.72, -0.97, 2.69),
    "turned": (-0.14, 1.7, -0.75, -0.95),
    "as output": (-2.68, 0.87, 0.88, -1.75),
    "as varied": (-3.37, -0.9, 0.24, 0.66),
    "lacking": (-0.56, 0.06, 0.48, -0.54),
    "added": (-2.64, 0.79, -1.66, 0.87),
    "length": (0.05, 0.03, 0.22, -0.25),
    "reference": (-8.97, -0.32, 0.13, 0.18),
    "translated": (-8.9, 0.87, -0.65, -0.22),
    "kept": (0.04, -0.67, -0.06, 0.73),
    "missing": (0.14, -0.04, -0.2, 0.24),
    "gained": (-0.17, 0.33, -0.18, -0.15),
    "followed": (0.97, -0.09, -0.49, 0.59),
    "fitting": (-0.36, -0.56, 0.18, 0.38),
    "told": (-0.18, -0.43, 0.11, 0.32),
    "risen": (-0.2, 0.22, -0.08, -0.14),
    "meant": (1.21, -0.27, 0.01, 0.26),
    "meant strictly": (0.13, -0.83, -0.01, 0.84),
    "fitting strictly": (-0.41, -0.12, -0.47, 0.58),
}
"""The same of the second look: besides the words, how much of the source has a translation, and
what translators find likely (`hyperbaton.alignment.reading`)."""
FIRST, SECOND = (np.ascontiguousarray(np.array([*w.values()]).T) for w in (_FIRST, _SECOND))
"""A row for each class."""
WORDS = tuple(_FIRST)[1:]
READ = tuple(_SECOND)[len(_FIRST) :]
SURE = 0.85
"""The probability of the first look from which no second one is taken."""
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


def first_look(words: Numbers) -> tuple[npt.NDArray[np.str_], Numbers]:
    """The outcome of each sample by its words, and how likely it is."""
    outcomes, sums = _weighed(words, FIRST)
    lost = 1 / (1 + np.exp(-sums[:, 0]))
    rest = sums[:, 1:] - sums[:, 1:].max(axis=1, keepdims=True)
    likely = (1 - lost) / np.exp(rest).sum(axis=1)
    return outcomes, np.where(sums[:, 0] > 0, lost, likely)


def second_look(words: Numbers, readings: Numbers) -> npt.NDArray[np.str_]:
    """The outcome of each sample by its words and by what translators find likely."""
    return _weighed(np.column_stack([words, readings]), SECOND)[0]


def _weighed(numbers: Numbers, weights: Numbers) -> tuple[npt.NDArray[np.str_], Numbers]:
    """The outcome of each sample, and the sums that say so."""
    sums = np.asarray(weights[:, 0] + numbers @ weights[:, 1:].T)
    rest = np.array(CLASSES[1:])[sums[:, 1:].argmax(axis=1)]
    return np.where(sums[:, 0] > 0, CLASSES[0], rest), sums


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
