"""What a perturbation did to the structure of a text: how far units went, which bigrams are left.

The measures are those of Clouatre et al. (2022); what became of the vocabulary says `Compression`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, Statistics, versions

Places = NDArray[np.intp]
Measure = Callable[[Places, Places], NDArray[np.intp] | NDArray[np.bool_]]
"""From the places of units and their old places: a number for each unit."""


def displacement(orders: Sequence[Sequence[int]]) -> Scores:
    """How many places a unit went on average, for each order.

    >>> displacement([(2, 1, 0), (0, 1), ()]).round(3)
    array([1.333, 0.   , 0.   ])
    """
    return _mean_over_units(orders, lambda places, olds: np.abs(places - olds))


def idc(orders: Sequence[Sequence[int]]) -> Scores:
    """Index displacement count of each order: the mean distance a unit went, over the length.

    Expand an order of words or subwords to characters first (`language.sentence.expand`).

    >>> idc([(0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 2, 3), ()])
    array([0.   , 0.5  , 0.125, 0.   ])
    """
    lengths = np.array([len(order) for order in orders], dtype=np.intp)
    return displacement(orders) / np.maximum(lengths, 1)


def moved(orders: Sequence[Sequence[int]]) -> Scores:
    """The share of units that stand elsewhere than before, for each order.

    >>> moved([(0, 2, 1, 3), ()])
    array([0.5, 0. ])
    """
    return _mean_over_units(orders, lambda places, olds: places != olds)


def _mean_over_units(orders: Sequence[Sequence[int]], measure: Measure) -> Scores:
    lengths = np.array([len(order) for order in orders], dtype=np.intp)
    if not lengths.sum():
        return np.zeros(len(orders))
    olds = np.concatenate([np.asarray(order, dtype=np.intp) for order in orders])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places = np.arange(len(olds)) - np.repeat(starts[:-1], lengths)
    sums = np.concatenate([[0], np.cumsum(measure(places, olds))])
    total = sums[starts[1:]] - sums[starts[:-1]]
    return np.asarray(total / np.maximum(lengths, 1), dtype=np.float64)


@dataclass(frozen=True)
class bigramF(Metric):
    """F-score of character bigrams, white space kept: the paper's chrF-2, not sacreBLEU's chrF2.

    Two texts too short for a bigram count as one that matches if they are equal.

    >>> bigramF().sentence_scores(["ng.cholThe ss tyar pesettii"], ["The scholar is typesetting."])
    array([0.76923077])
    """

    name: ClassVar[str] = "bigramF"

    beta: int | float = 1

    @property
    def symmetric(self) -> bool:
        """Precision and recall only change places, which β = 1 does not tell apart."""
        return self.beta == 1

    def measure(self, segments: Segments) -> Statistics:
        """Bigrams of hypothesis and reference, and the matches."""
        from hyperbaton.metrics.kernels.ngrams import counts
        from hyperbaton.metrics.kernels.texts import encode, intern

        pairs = intern(segments)
        found = counts(pairs, encode(pairs.texts), order=2)
        rows = np.stack(
            [found.hypothesis[:, 1], found.reference[:, 1], found.matches[:, 1]], axis=-1
        )
        short = (rows[:, 0] == 0) & (rows[:, 1] == 0)
        rows[short, :2] = 1
        rows[short, 2] = pairs.hypotheses[short] == pairs.references[short]
        return rows

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """F from the counts: (1 + β²)·matches / (β²·reference + hypothesis)."""
        factor = self.beta**2
        hypothesis, reference, matches = (statistics[..., i] for i in range(3))
        below = factor * reference + hypothesis
        return np.divide((1 + factor) * matches, below, where=below > 0, out=np.zeros_like(below))

    def fields(self, level: Level) -> dict[str, str]:
        """The setting and the package the numbers come from."""
        return {"beta": str(self.beta), "space": "yes", **versions("numpy")}


_BITS = 21
"""A character has at most so many bits, and so many texts can be told apart."""


class Originals:
    """Texts laid end to end, to which permutations of them are compared.

    >>> texts = Originals(np.array([97, 98, 99, 100, 120]), np.array([4, 1]))
    >>> reversed = np.array([3, 2, 1, 0, 4])
    >>> texts.idc(reversed), texts.bigram_f(reversed)
    (array([0.5, 0. ]), array([0., 1.]))
    """

    def __init__(self, codes: NDArray[np.int32], lengths: NDArray[np.int64]) -> None:
        self._codes = codes.astype(np.int64)
        self._lengths = lengths
        self._owners = np.repeat(np.arange(len(lengths)), lengths)
        # The last character of a text begins no bigram.
        self._begins = np.ones(len(codes), np.bool_)
        ends = np.cumsum(lengths)[lengths > 0]
        self._begins[ends - 1] = False
        self._heads = self._owners[self._begins] << (2 * _BITS)

    def idc(self, places: NDArray[np.int64]) -> Scores:
        """The mean distance that a character went, over the length, for each text."""
        went = np.abs(places - np.arange(len(places)))
        sums = np.bincount(self._owners, went, len(self._lengths))
        return np.asarray(sums / np.maximum(self._lengths, 1) ** 2)

    def bigram_f(self, places: NDArray[np.int64]) -> Scores:
        """The share of bigrams that is left, for each text; 1 where there is none to lose."""
        found, counts = self._bigrams(self._codes[places])
        known, known_counts = self._known
        if not len(known):
            return np.ones(len(self._lengths))
        at = np.minimum(np.searchsorted(known, found), len(known) - 1)
        kept = np.where(known[at] == found, np.minimum(counts, known_counts[at]), 0)
        matches = np.bincount(found >> (2 * _BITS), kept, len(self._lengths))
        total = self._lengths - 1
        return np.divide(matches, total, where=total > 0, out=np.ones(len(total)))

    @cached_property
    def _known(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self._bigrams(self._codes)

    def _bigrams(self, codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The bigrams of each text as numbers in ascending order, and how often each occurs."""
        pairs = ((codes[:-1] << _BITS) | codes[1:])[self._begins[:-1]] if len(codes) else codes
        keys = np.sort(self._heads | pairs)
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        return keys[first], np.diff(first, append=len(keys))
