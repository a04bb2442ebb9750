"""Sums over bootstrap resamples: numbers are resampled, never text.

A resample of n items is a vector of multinomial counts, and its sums are counts @ statistics, one
matrix product for many resamples. Drawing the counts is what takes time. They are drawn here as
independent Poisson numbers with a rate a little below one, read off random bytes through a table,
and then topped up with single uniform draws until each resample holds n items. Poisson counts
given their total are multinomial, so the topped-up counts are exactly the counts of n draws with
replacement; a resample whose total came out above n is drawn anew, item by item.
Measured for 100,000 items, 10 columns, 1,000 resamples on one core: 0.55 s; with
`Generator.multinomial` 6 s, with `integers` + `bincount` 2 s, by indexing rows 14 s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Counts = NDArray[np.uint8]

# The draws depend on these two, so they are constants: a result must not change with the memory.
# Of the sizes tried (1,024-16,384 × 16-256) this pair was fastest; all stays in the second cache.
_ITEMS = 2048
_RESAMPLES = 64
_FEW_ITEMS = 1024
"""Below this many items the counts are drawn one by one: the top-up would be most of the work."""
_SLACK = 3.5
"""How many standard deviations the Poisson totals lie below n; 1 in 4,000 is drawn anew."""
_SECOND_LOOK = 255
_SINGLE = 2**24
"""Up to here float32 holds every whole number."""


def generator(seed: int) -> np.random.Generator:
    """The stream of draws that belongs to a seed."""
    return np.random.Generator(np.random.SFC64(seed))


def resampled_sums(statistics: FloatArray, resamples: int, seed: int) -> FloatArray:
    """The column sums of each resample, (resamples, columns).

    The counts depend on the number of items, the number of resamples and the seed alone, so two
    calls on the same items are paired.
    """
    items = len(statistics)
    if items < _FEW_ITEMS:
        parts = [counts @ statistics for counts in count_vectors(items, resamples, seed)]
        return np.concatenate(parts)
    return _poisson_sums(statistics, resamples, generator(seed))


def count_vectors(items: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """How often each item was drawn, some resamples at a time."""
    rng = generator(seed)
    at_once = max(1, _ITEMS * _RESAMPLES * 8 // items)
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        drawn = rng.integers(0, items, size=(rows, items))
        drawn += np.arange(rows)[:, None] * items
        counts = np.bincount(drawn.ravel(), minlength=rows * items)
        yield counts.reshape(rows, items).astype(np.float64)


def _poisson_sums(statistics: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    items, columns = statistics.shape
    poisson = _Poisson(1 - _SLACK / math.sqrt(items))
    kind = np.float32 if _single_is_exact(statistics) else np.float64
    sums = np.zeros((resamples, columns + 1))
    for first in range(0, items, _ITEMS):
        rows = statistics[first : first + _ITEMS]
        block = np.column_stack([rows, np.ones(len(rows))]).astype(kind)
        for start in range(0, resamples, _RESAMPLES):
            part = sums[start : start + _RESAMPLES]
            counts = poisson.draw(rng, len(part) * len(block)).reshape(len(part), len(block))
            part += np.matmul(counts.astype(kind), block)
    for row in sums:
        missing = items - int(row[columns])
        if missing < 0:
            row[:] = 0
            missing = items
        row[:columns] += statistics.take(rng.integers(0, items, missing), axis=0).sum(axis=0)
    return sums[:, :columns]


def _single_is_exact(statistics: FloatArray) -> bool:
    """Whether sums over a block are whole numbers that float32 holds, as BLEU's counts are."""
    # A block of 2,048 Poisson counts has a total above 4,096 with a probability below 1e-200.
    bound = 2 * _ITEMS * np.abs(statistics).max(initial=0)
    return bool(bound < _SINGLE and np.array_equal(statistics, np.floor(statistics)))


class _Poisson:
    """Poisson counts from random bytes: 253 of 256 bytes stand for a count, the rest draw again."""

    def __init__(self, rate: float) -> None:
        mass = [math.exp(-rate)]
        while mass[-1] > 1e-300 and len(mass) < _SECOND_LOOK:
            mass.append(mass[-1] * rate / len(mass))
        scaled = np.array(mass) / math.fsum(mass) * 256
        cells = np.floor(scaled).astype(np.intp)
        table = np.full(256, _SECOND_LOOK, dtype=np.uint8)
        table[: cells.sum()] = np.repeat(np.arange(len(mass)), cells)
        self._table = table.tobytes()
        left = np.cumsum(scaled - cells)
        self._left = left / left[-1]

    def draw(self, rng: np.random.Generator, size: int) -> Counts:
        # Whole words are the fastest draw, bytes.translate the fastest table look-up.
        words = rng.integers(0, 2**64, size=-(-size // 8), dtype=np.uint64).astype("<u8")
        counts = np.frombuffer(bytearray(words.tobytes().translate(self._table)), dtype=np.uint8)
        again = np.flatnonzero(counts == _SECOND_LOOK)
        counts[again] = np.searchsorted(self._left, rng.random(len(again)), side="right")
        return counts[:size]
