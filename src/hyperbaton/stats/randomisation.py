"""Paired approximate randomisation: would it matter which system wrote which output?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Spec
from hyperbaton.stats.resample import FloatArray, generator
from hyperbaton.stats.scoring import Score, scored
from hyperbaton.stats.tables import paired

__all__ = ["Randomisation", "RandomisationTest", "randomisation_test"]

_ITEMS = 2048
_TRIALS = 64


@dataclass(frozen=True)
class Randomisation(Spec):
    """How many times outputs are exchanged at random, and from which seed."""

    name: ClassVar[str] = "randomisation"
    trials: int = 10_000
    seed: int = 12345

    def __post_init__(self) -> None:
        if self.trials < 1:
            raise HyperbatonError(f"a randomisation test needs at least 1 trial, not {self.trials}")
        if self.seed < 0:
            raise HyperbatonError(f"a seed is a whole number of at least 0, not {self.seed}")

    @property
    def signature(self) -> str:
        """Everything that the p-value depends on."""
        return f"ar:{self.trials}|rs:{self.seed}"


@dataclass(frozen=True)
class RandomisationTest:
    """`difference` is first minus second; `p` is two-sided and never 0."""

    difference: float
    p: float
    items: int
    trials: int


def randomisation_test(
    first: ArrayLike,
    second: ArrayLike,
    score: Score,
    randomisation: Randomisation | None = None,
) -> RandomisationTest:
    """Exchange the two systems' outputs item by item at random and score the two mixtures.

    `p` is the share of trials with a difference at least as large, the actual one counted in: two
    systems with equal outputs have p = 1 (sacreBLEU counts only larger ones and gives them 1/N).

    >>> better = [[1, 1], [1, 1], [1, 1], [1, 1]]
    >>> worse = [[0, 1], [0, 1], [0, 1], [0, 1]]
    >>> test = randomisation_test(better, worse, lambda sums: sums[:, 0] / sums[:, 1])
    >>> test.difference, round(test.p, 2)  # 2 of the 16 ways to exchange are as extreme
    (1.0, 0.12)
    """
    randomisation = randomisation or Randomisation()
    one, two = paired(first, second)
    moved = _moved(two - one, randomisation)
    found = _difference(score, one.sum(axis=0)[None], two.sum(axis=0)[None])[0]
    drawn = _difference(score, one.sum(axis=0) + moved, two.sum(axis=0) - moved)
    drawn = drawn[~np.isnan(drawn)]
    reach = abs(found) * (1 - 1e-12)  # a tie must not be lost to rounding
    p = (np.sum(np.abs(drawn) >= reach) + 1) / (len(drawn) + 1)
    return RandomisationTest(
        float(found),
        float("nan") if np.isnan(found) else float(p),
        len(one),
        randomisation.trials,
    )


def _difference(score: Score, one: FloatArray, two: FloatArray) -> FloatArray:
    values = scored(score, one) - scored(score, two)
    if values.shape[1] != 1:
        raise HyperbatonError("a randomisation test takes a score function with one score per row")
    return values[:, 0]


def _moved(gap: FloatArray, randomisation: Randomisation) -> FloatArray:
    """The sum of `second - first` over the items exchanged in each trial."""
    rng = generator(randomisation.seed)
    sums = np.zeros((randomisation.trials, gap.shape[1]))
    for start in range(0, len(gap), _ITEMS):
        block = gap[start : start + _ITEMS]
        for first in range(0, randomisation.trials, _TRIALS):
            part = sums[first : first + _TRIALS]
            width = -(-len(block) // 8)
            words = rng.integers(0, 2**64, size=-(-len(part) * width // 8), dtype=np.uint64)
            raw = words.astype("<u8").view(np.uint8)[: len(part) * width].reshape(len(part), width)
            part += np.unpackbits(raw, axis=1, count=len(block)).astype(np.float64) @ block
    return sums
