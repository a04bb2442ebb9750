"""Slots of a sentence and what is put into them: the arithmetic behind the word-order families."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hyperbaton.sentence import Order, Sentence

__all__ = ["SHORTEST", "Span", "fill", "fill_spans", "movable_units", "tagged"]

Span = tuple[int, int]

SHORTEST = 6
"""The fewest tokens, final mark included, that the gated perturbations take."""


def tagged(sentence: Sentence, tags: Collection[str]) -> list[int]:
    """The words of these parts of speech, the last token left out since it never moves."""
    upos = sentence.upos
    if upos is None:
        return []
    found = [i for i, tag in enumerate(upos) if tag in tags]
    if found and found[-1] == len(upos) - 1:
        found.pop()
    return found


def movable_units(sentence: Sentence) -> list[Span]:
    """The noun units that do not hold the last token, which never moves."""
    last = len(sentence) - 1
    return [span for span in sentence.noun_units if span[1] <= last]


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
    """The order in which each slot, from left to right, holds another span, of any length.

    >>> fill_spans(6, [(0, 2), (3, 4)], [(3, 4), (0, 2)])
    (3, 2, 0, 1, 4, 5)
    """
    order: list[int] = []
    at = 0
    for (start, end), content in zip(slots, contents, strict=True):
        order += range(at, start)
        order += range(*content)
        at = end
    order += range(at, length)
    return tuple(order)
