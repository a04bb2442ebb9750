"""n-grams of many pairs: how many each side has, and how many they share (clipped).

Each reference becomes a trie, which its hypotheses walk.

A node of the trie is an n-gram of the reference and holds how often it occurs there. Children are
found in one hash table whose keys (node, unit) fit 64 bits, so that no two n-grams can be taken
for each other, whatever their order and however large the vocabulary.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.base.compiled import compiled
from hyperbaton.metrics.kernels.texts import Pairs, Sequences

Ints = npt.NDArray[np.int64]
Units = npt.NDArray[np.int32]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)


def matches(sequences: Sequences, hypotheses: Ints, references: Ints, order: int) -> Ints:
    """For each pair and each n up to `order`, the n-grams that both have, clipped.

    >>> from hyperbaton.metrics.kernels.texts import encode
    >>> texts = encode(["the cat", "the hat"])
    >>> matches(texts, np.array([0]), np.array([1]), order=3).tolist()
    [[6, 4, 2]]
    """
    turn = np.argsort(references, kind="stable")
    found = np.zeros((len(references), order), np.int64)
    if len(references):
        longest = int(sequences.lengths[references].max())
        _walk(sequences.units, sequences.offsets, hypotheses, references, turn, longest, found)
    return found


@compiled
def _slot(keys: npt.NDArray[np.uint64], key: np.uint64, mask: int, shift: np.uint64) -> np.int64:
    """Where a key is, or where it would be."""
    at = np.int64((key * _SPREAD) >> shift)
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & mask
    return at


@compiled
def _walk(
    units: Units,
    offsets: Ints,
    hypotheses: Ints,
    references: Ints,
    turn: Ints,
    longest: int,
    found: Ints,
) -> None:
    order = found.shape[1]
    bits = 4
    while (1 << bits) < 2 * order * longest:
        bits += 1
    keys = np.zeros(1 << bits, np.uint64)
    children = np.zeros(1 << bits, np.int32)
    counts = np.zeros(order * longest + 2, np.int32)
    left = np.zeros(order * longest + 2, np.int32)
    current = -1
    nodes, mask, shift = 1, 0, np.uint64(0)
    for pair in turn:
        reference = references[pair]
        if reference != current:
            current = reference
            begin, end = offsets[reference], offsets[reference + 1]
            bits = 4
            while (1 << bits) < 2 * order * (end - begin):
                bits += 1
            mask, shift = (1 << bits) - 1, np.uint64(64 - bits)
            keys[: mask + 1] = 0
            nodes = 1
            for start in range(begin, end):
                node = 1
                for at in range(start, min(start + order, end)):
                    key = (np.uint64(node) << np.uint64(32)) | np.uint64(np.uint32(units[at]))
                    slot = _slot(keys, key, mask, shift)
                    if keys[slot] == 0:
                        nodes += 1
                        keys[slot] = key
                        children[slot] = nodes
                        counts[nodes] = 0
                    node = children[slot]
                    counts[node] += 1
        for node in range(nodes + 1):  # as one assignment it takes 3 seconds more to compile
            left[node] = counts[node]
        begin, end = offsets[hypotheses[pair]], offsets[hypotheses[pair] + 1]
        for start in range(begin, end):
            node = 1
            for at in range(start, min(start + order, end)):
                key = (np.uint64(node) << np.uint64(32)) | np.uint64(np.uint32(units[at]))
                slot = _slot(keys, key, mask, shift)
                if keys[slot] == 0:
                    break
                node = children[slot]
                if left[node] > 0:
                    left[node] -= 1
                    found[pair, at - start] += 1


Numbers = npt.NDArray[np.float64]


class Counts(NamedTuple):
    """n-grams of pairs × orders, and the lengths of the sequences."""

    matches: Numbers
    hypothesis: Numbers
    reference: Numbers
    hypothesis_length: Numbers
    reference_length: Numbers

    def swapped(self) -> Counts:
        """The counts with the roles exchanged: what both have stays the same."""
        return Counts(
            self.matches,
            self.reference,
            self.hypothesis,
            self.reference_length,
            self.hypothesis_length,
        )


def counts(pairs: Pairs, sequences: Sequences, order: int) -> Counts:
    """What hypothesis and reference have in common, and what each has."""
    found = matches(sequences, pairs.hypotheses, pairs.references, order)
    lengths = sequences.lengths.astype(np.float64)
    hypothesis, reference = lengths[pairs.hypotheses], lengths[pairs.references]
    shorter = np.arange(order)
    return Counts(
        found.astype(np.float64),
        np.maximum(hypothesis[:, None] - shorter, 0),
        np.maximum(reference[:, None] - shorter, 0),
        hypothesis,
        reference,
    )
