"""IDC and bigram-F of many permuted texts at once, out of arrays.

They equal `idc` and `bigramF`: a permuted text has as many bigrams as the text itself, so that
precision, recall and F are one share.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hyperbaton.metrics.metric import Scores

__all__ = ["Originals"]

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
