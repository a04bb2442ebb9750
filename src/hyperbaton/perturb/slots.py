"""Slots of a sentence and what is put into them: the arithmetic behind the word-order families."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from hyperbaton.sentence import Order, Sentence

__all__ = ["SHORTEST", "Span", "fill", "fill_spans", "movable_units", "singles", "tagged"]

Span = tuple[int, int]

SHORTEST = 6
"""The fewest tokens, final mark included, that the gated perturbations take."""


def tagged(sentence: Sentence, *tags: str) -> Sequence[int]:
    """The words of these parts of speech, the last token left out since it never moves."""
    movable = sentence.movable
    if len(tags) == 1:
        return movable.get(tags[0], ())
    return sorted(i for tag in tags if tag in movable for i in movable[tag])


def movable_units(sentence: Sentence) -> Sequence[Span]:
    """The noun units that do not hold the last token, which never moves."""
    units = sentence.noun_units
    return units[:-1] if units and units[-1][1] == len(sentence.words) else units


def fill(length: int, slots: Sequence[int], contents: Sequence[int]) -> Order:
    """The order in which each slot of one word holds another word.

    >>> fill(5, [1, 3], [3, 1])
    (0, 3, 2, 1, 4)
    """
    order = list(range(length))
    for slot, content in zip(slots, contents, strict=True):
        order[slot] = content
    return tuple(order)


def fill_spans(length: int, slots: Sequence[Span], contents: Sequence[Span]) -> Order:
    """The order in which each slot holds another span, of any length.

    >>> fill_spans(6, [(0, 2), (3, 4)], [(3, 4), (0, 2)])
    (3, 2, 0, 1, 4, 5)
    """
    parts = singles(length)
    for (start, end), content in zip(slots, contents, strict=True):
        parts[start] = range(*content)
        if end - start > 1:
            parts[start + 1 : end] = [()] * (end - start - 1)
    return tuple(chain.from_iterable(parts))


def singles(length: int) -> list[Sequence[int]]:
    """What each slot of one word holds at first: its own word.

    >>> singles(2)
    [(0,), (1,)]
    """
    return list(_singles(length))


@lru_cache(maxsize=1024)
def _singles(length: int) -> tuple[tuple[int], ...]:
    return tuple((i,) for i in range(length))
