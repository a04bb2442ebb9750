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
READ = ("kept", "missing", "gained", "followed", "fitting")
"""What the second look weighs besides (`hyperbaton.alignment.reading`)."""
FIRST = np.array(
    [
        [4.65, 3.59, -3.20, -1.07, -3.29, -3.68, -0.76, 0.58, -0.01, -13.19],
        [-0.36, 0.79, -3.29, 3.07, -1.29, 1.60, 0.67, 0.25, 0.31, 1.25],
        [4.24, -3.48, -0.56, -0.73, 1.10, -1.45, 1.30, -1.78, -0.55, -0.12],
        [-3.88, 2.69, 3.85, -2.34, 0.19, -0.15, -1.97, 1.53, 0.23, -1.13],
    ]
)
"""A row for each class: what it begins with, then its weight of each number."""
SECOND = np.array(
    [
        [
            4.80,
            2.50,
            -2.79,
            -1.00,
            -2.81,
            -3.31,
            -1.04,
            -0.89,
            0.01,
            -10.47,
            0.27,
            0.19,
            -0.82,
            0.67,
            -0.45,
        ],
        [
            -2.17,
            1.76,
            -1.69,
            2.14,
            -0.43,
            0.23,
            -0.13,
            0.15,
            0.41,
            0.08,
            -0.50,
            -0.18,
            0.76,
            0.55,
            -0.74,
        ],
        [
            2.03,
            -3.87,
            0.37,
            -0.60,
            0.40,
            0.06,
            1.01,
            -0.93,
            0.10,
            0.01,
            -0.09,
            -0.21,
            -0.42,
            -0.42,
            0.07,
        ],
        [
            0.14,
            2.11,
            1.32,
            -1.54,
            0.04,
            -0.29,
            -0.89,
            0.78,
            -0.51,
            -0.09,
            0.59,
            0.39,
            -0.34,
            -0.13,
            0.67,
        ],
    ]
)
"""The same for both kinds of numbers together."""
SURE = 0.8
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
