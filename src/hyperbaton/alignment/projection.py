"""The projected reference: a translation whose words moved as the words of the source did."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from hyperbaton.alignment.aligner import Link, Words
from hyperbaton.errors import HyperbatonError
from hyperbaton.languages import base
from hyperbaton.sentence import Order

__all__ = ["Side", "neighbour", "project", "stretches"]

Side = Literal["left", "right"]

_PARTICLES_FOLLOW = frozenset(
    {"ja", "ko", "hi", "ur", "bn", "mr", "gu", "pa", "ne", "si", "ta", "te", "ml", "kn", "my"}
)


def neighbour(language: str) -> Side:
    """On which side a word without a link belongs: particles of some languages follow their word.

    >>> neighbour("de"), neighbour("ja")
    ('right', 'left')
    """
    return "left" if base(language) in _PARTICLES_FOLLOW else "right"


def project(
    order: Sequence[int], target: Words, links: Iterable[Link], side: Side = "right"
) -> Order:
    """The order of the target words when the source words stand in `order`.

    Each target word goes where the stretch of its source word went; a stretch is what still
    stands together as it stood in the source. Inside a stretch, the target keeps its own order. A
    word without a link goes with the next one on this `side` that has one, else on the other. A
    final mark stays at the end.

    >>> links = [(0, 0), (1, 1), (2, 3), (3, 2), (4, 4)]  # I have seen him .
    >>> words = "Ich habe ihn gesehen .".split()
    >>> [words[i] for i in project((3, 2, 1, 0, 4), words, links)]
    ['ihn', 'gesehen', 'habe', 'Ich', '.']
    >>> [words[i] for i in project((0, 1, 2, 3, 4), words, links)]
    ['Ich', 'habe', 'ihn', 'gesehen', '.']
    """
    stretch = stretches(order)
    moving = len(target) - bool(target and _is_mark(target[-1]))
    votes: list[list[int]] = [[] for _ in target]
    for i, j in links:
        if not (0 <= i < len(stretch) and 0 <= j < len(target)):
            raise HyperbatonError(
                f"the link {i}-{j} does not fit {len(stretch)} source words and {len(target)} "
                "target words: align the same words that are put in order"
            )
        votes[j].append(stretch[i])
    places = _filled([_most(found) for found in votes[:moving]], side)
    moved = sorted(range(moving), key=places.__getitem__)
    return (*moved, *range(moving, len(target)))


def stretches(order: Sequence[int]) -> list[int]:
    """For each source word, the number of its stretch in the new order.

    >>> stretches((3, 4, 0, 1, 2))
    [1, 1, 1, 0, 0]
    """
    found = [0] * len(order)
    number = 0
    for at, old in enumerate(order):
        if at and old != order[at - 1] + 1:
            number += 1
        found[old] = number
    return found


def _most(stretches: Sequence[int]) -> int | None:
    """The stretch that most of the source words are in, the first of equals."""
    if len(stretches) < 2:
        return stretches[0] if stretches else None
    counts = Counter(stretches)
    return min(counts, key=lambda stretch: (-counts[stretch], stretch))


def _filled(places: Sequence[int | None], side: Side) -> list[int]:
    """Places in which a gap has the one on this side of it, else on the other."""
    way = 1 if side == "left" else -1
    known = [place for place in places[::way] if place is not None]
    last = known[0] if known else 0
    filled: list[int] = []
    for place in places[::way]:
        last = last if place is None else place
        filled.append(last)
    return filled[::way]


def _is_mark(word: str) -> bool:
    return bool(word) and all(unicodedata.category(character)[0] == "P" for character in word)
