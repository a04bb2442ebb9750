"""A translation beside the clean one: which words stand elsewhere, and which are missing."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from hyperbaton.alignment.words import cut
from hyperbaton.cli.terminal.moved_units import Span, moved_units, runs_of, spans_of

__all__ = ["Compared", "compare"]

_LETTERS = 4
"""Words that begin alike are forms of one, as for the outcome of a sample."""


class Compared(NamedTuple):
    """Where words stand in the translation that stood elsewhere in the clean one."""

    moved: tuple[Span, ...]
    missing: tuple[str, ...]


def compare(clean: str, text: str, language: str) -> Compared:
    """Words are the same in whatever case and form; what is repeated is taken in order.

    >>> found = compare("Tom ging bald nach Hause.", "Bald Tom ging Hause.", "de")
    >>> [("Bald Tom ging Hause."[a:b]) for a, b in found.moved], found.missing
    (['Bald'], ('nach',))
    """
    there: dict[str, list[int]] = defaultdict(list)
    words = cut(clean, language)
    for place, word in enumerate(words):
        there[_form(word)].append(place)
    own = cut(text, language)
    spans = spans_of(own, text)
    known: list[tuple[int, int]] = []  # place here, place in the clean one
    for place, word in enumerate(own):
        if _is_word(word) and there[_form(word)]:
            known.append((place, there[_form(word)].pop(0)))
    moved = {known[at][0] for at in moved_units([old for _, old in known])}
    kept = {old for _, old in known}
    missing = [word for place, word in enumerate(words) if place not in kept and _is_word(word)]
    return Compared(tuple(runs_of(frozenset(moved), spans)), tuple(missing))


def _form(word: str) -> str:
    return word.casefold()[:_LETTERS]


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))
