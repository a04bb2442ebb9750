"""Slots of a sentence and what is put into them: the arithmetic behind the word-order families."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from hyperbaton.language.sentence import Order, Sentence

__all__ = ["SHORTEST", "Span", "fill", "fill_spans", "identity", "movable_units", "tagged"]

Span = tuple[int, int]

SHORTEST = 6
"""The fewest tokens, final mark included, that the gated perturbations take."""


def tagged(sentence: Sentence, *tags: str) -> Sequence[int]:
    """The words of these parts of speech, the last token left out since it never moves."""
    movable = sentence.movable
    if len(tags) == 1:
        return movable.get(tags[0], ())
    found: list[int] = []
    for tag in tags:
        found += movable.get(tag, ())
    found.sort()
    return found


def movable_units(sentence: Sentence) -> Sequence[Span]:
    """The noun units that do not hold the last token, which never moves."""
    units = sentence.noun_units
    return units[:-1] if units and units[-1][1] == len(sentence.words) else units


@lru_cache(maxsize=1024)
def identity(length: int) -> Order:
    """The order that changes nothing; its slices are the spans that others are made of.

    >>> identity(3)
    (0, 1, 2)
    """
    return tuple(range(length))


def fill(length: int, slots: Sequence[int], contents: Sequence[int]) -> Order:
    """The order in which each slot of one word holds another word.

    >>> fill(5, [1, 3], [3, 1])
    (0, 3, 2, 1, 4)
    """
    order = list(identity(length))
    for slot, content in zip(slots, contents, strict=True):
        order[slot] = content
    return tuple(order)


def fill_spans(length: int, fills: Iterable[tuple[Span, Span]]) -> Order:
    """The order in which each slot, from left to right, holds the span beside it, of any length.

    >>> fill_spans(6, [((0, 2), (3, 4)), ((3, 4), (0, 2))])
    (3, 2, 0, 1, 4, 5)
    """
    words = identity(length)
    order: list[int] = []
    at = 0
    for (start, end), (first, last) in fills:
        order += words[at:start]
        order += words[first:last]
        at = end
    order += words[at:]
    return tuple(order)
