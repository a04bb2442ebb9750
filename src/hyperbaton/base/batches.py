"""Batches: of items as they come, and of rows by length for models that read tokens."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of up to `size` items, as they come.

    >>> list(batched("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def by_length(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """The places of the rows of each batch, which has at most `tokens` tokens when padded.

    The longest come first, so that a batch too large for the memory fails at once.

    >>> list(by_length([2, 9, 3, 8], tokens=18))
    [[1, 3], [2, 0]]
    """
    order = _longest_first(lengths)
    start = 0
    while start < len(order):
        size = max(1, tokens // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size


def equal_length(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """The same of rows of one length each: nothing is padded, so neighbours change nothing.

    >>> list(equal_length([2, 5, 2, 2], tokens=4))
    [[1], [0, 2], [3]]
    >>> list(equal_length([3, 3, 3, 3, 3], tokens=12))
    [[0, 1, 2], [3, 4]]
    """
    for length, same in groupby(_longest_first(lengths), key=lengths.__getitem__):
        places = list(same)
        most = max(1, tokens // max(1, length))
        # As many as it takes, of one size: a last one of few rows would cost nearly as much.
        step = math.ceil(len(places) / math.ceil(len(places) / most))
        for start in range(0, len(places), step):
            yield places[start : start + step]


def _longest_first(lengths: Sequence[int]) -> list[int]:
    return sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
