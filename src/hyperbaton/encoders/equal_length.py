"""Batches of rows of one length, so that nothing is padded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

__all__ = ["equal_length"]


def equal_length(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Places of the rows of each batch, the longest first; `tokens` is what a batch may hold.

    >>> list(equal_length([2, 5, 2, 2], 4))
    [[1], [0, 2], [3]]
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    for length, same in groupby(order, key=lengths.__getitem__):
        places = list(same)
        step = max(1, tokens // max(1, length))
        for start in range(0, len(places), step):
            yield places[start : start + step]
