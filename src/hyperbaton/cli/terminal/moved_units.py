"""Which units of a variant were moved, and where they stand in its text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

__all__ = ["Span", "moved_units", "runs_of", "spans_of"]

Span = tuple[int, int]


def moved_units(order: Sequence[int]) -> frozenset[int]:
    """The places whose units must be lifted out so that the rest stands as it stood.

    The rest is a longest increasing run of the order: a verb that goes to the front counts as
    moved, the words that make way for it do not.

    >>> sorted(moved_units((3, 0, 1, 2, 4)))
    [0]
    """
    tails: list[int] = []  # the least end of an increasing run of each length, as places
    before: list[int] = []
    for place, unit in enumerate(order):
        at = bisect_left(tails, unit, key=order.__getitem__)
        before.append(tails[at - 1] if at else -1)
        tails[at : at + 1] = [place]
    kept = set()
    place = tails[-1] if tails else -1
    while place >= 0:
        kept.add(place)
        place = before[place]
    return frozenset(range(len(order))) - kept


def spans_of(units: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Where the units stand in the text that they make, white space between them passed over.

    >>> spans_of(["go", "Tom", "!"], "go Tom!")
    [(0, 2), (3, 6), (6, 7)]
    """
    spans, at = [], 0
    for unit in units:
        while not text.startswith(unit, at) and text[at : at + 1].isspace():
            at += 1
        spans.append((at, at + len(unit)))
        at += len(unit)
    return spans


def runs_of(moved: frozenset[int], spans: Sequence[Span]) -> Iterator[Span]:
    """The spans of moved units, neighbours that stood together before or not joined to one.

    >>> list(runs_of(frozenset({0, 1, 3}), [(0, 2), (3, 5), (6, 8), (9, 11)]))
    [(0, 5), (9, 11)]
    """
    start = None
    for place in range(len(spans) + 1):
        if place in moved:
            start = place if start is None else start
        elif start is not None:
            yield spans[start][0], spans[place - 1][1]
            start = None
