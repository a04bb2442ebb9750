"""The two looks at a sample: at its words, and by what translators find likely (docs/outcomes.md).

A first sum says whether the sample is lost. If not, each other outcome has a sum, and the highest
one wins. A sum is what it begins with, and so much for each number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["CLASSES", "FIRST", "READ", "SECOND", "SURE", "WORDS", "first_look", "second_look"]

Numbers = npt.NDArray[np.float64]

CLASSES = ("lost", "carried", "mixed", "repaired")
WORDS = (
    "content",
    "in order",
    "turned",
    "as output",
    "as varied",
    "lacking",
    "added",
    "length",
    "reference",
)
"""What the first look weighs."""
READ = (
    "translated",
    "kept",
    "missing",
    "gained",
    "followed",
    "fitting",
    "told",
    "risen",
    "meant",
    "meant strictly",
    "fitting strictly",
)
"""What the second look weighs besides: how much of the source has a translation, and what
translators find likely (`hyperbaton.alignment.reading`)."""
FIRST = np.array(
    [
        [6.04, 5.63, -4.93, -0.9, -4.51, -4.01, -0.25, -0.41, 0.09, -19.66],
        [-0.47, 1.49, -4.07, 3.17, -0.74, 1.6, 0.52, 0.49, 0.3, 0.54],
        [4.75, -3.04, -3.02, -0.94, 2.46, -1.07, 0.93, -2.44, -0.32, 0.07],
        [-3.88, 1.55, 7.09, -2.23, -1.72, -0.53, -1.45, 1.95, 0.02, -0.61],
    ]
)
"""A row for each class: what it begins with, then its weight of each number."""
SECOND = np.array(
    [
        [
            8.02,
            2.22,
            -3.45,
            -0.14,
            -2.68,
            -3.37,
            -0.56,
            -2.64,
            0.05,
            -8.97,
            -8.9,
            0.04,
            0.14,
            -0.17,
            0.97,
            -0.36,
            -0.18,
            -0.2,
            1.21,
            0.13,
            -0.41,
        ],
        [
            -2.36,
            1.85,
            -1.72,
            1.7,
            0.87,
            -0.9,
            0.06,
            0.79,
            0.03,
            -0.32,
            0.87,
            -0.67,
            -0.04,
            0.33,
            -0.09,
            -0.56,
            -0.43,
            0.22,
            -0.27,
            -0.83,
            -0.12,
        ],
        [
            2.88,
            -3.22,
            -0.97,
            -0.75,
            0.88,
            0.24,
            0.48,
            -1.66,
            0.22,
            0.13,
            -0.65,
            -0.06,
            -0.2,
            -0.18,
            -0.49,
            0.18,
            0.11,
            -0.08,
            0.01,
            -0.01,
            -0.47,
        ],
        [
            -0.12,
            1.36,
            2.69,
            -0.95,
            -1.75,
            0.66,
            -0.54,
            0.87,
            -0.25,
            0.18,
            -0.22,
            0.73,
            0.24,
            -0.15,
            0.59,
            0.38,
            0.32,
            -0.14,
            0.26,
            0.84,
            0.58,
        ],
    ]
)
"""The same for both kinds of numbers together."""
SURE = 0.85
"""The probability of the first look from which no second one is taken."""


def first_look(words: Numbers) -> tuple[npt.NDArray[np.str_], Numbers]:
    """The outcome of each sample by its words, and how likely it is."""
    sums = _sums(words, FIRST)
    lost = 1 / (1 + np.exp(-sums[:, 0]))
    rest = sums[:, 1:] - sums[:, 1:].max(axis=1, keepdims=True)
    likely = (1 - lost) / np.exp(rest).sum(axis=1)
    return _classes(sums), np.where(sums[:, 0] > 0, lost, likely)


def second_look(words: Numbers, readings: Numbers) -> npt.NDArray[np.str_]:
    """The outcome of each sample by its words and by what translators find likely."""
    return _classes(_sums(np.column_stack([words, readings]), SECOND))


def _sums(numbers: Numbers, weights: Numbers) -> Numbers:
    return np.asarray(weights[:, 0] + numbers @ weights[:, 1:].T)


def _classes(sums: Numbers) -> npt.NDArray[np.str_]:
    rest = np.array(CLASSES[1:])[sums[:, 1:].argmax(axis=1)]
    return np.asarray(np.where(sums[:, 0] > 0, CLASSES[0], rest))
