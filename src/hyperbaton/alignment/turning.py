"""What became of the words of a source that were put in another order, by its links alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from hyperbaton.alignment.aligner import Aligner, Links, Words
from hyperbaton.alignment.lexical import key

__all__ = ["Turning", "turning", "varied_links"]


class Turning(NamedTuple):
    """What a varied translation made of the words of its source."""

    turned: int
    """Pairs of source words that stand the other way round than in a clean translation."""
    pairs: int
    """Pairs that the variation turned round and that both translations have."""
    translated: float
    """The share of the source, in letters, whose words have a translation."""


def varied_links(
    aligner: Aligner,
    texts: Sequence[tuple[Words, Sequence[int], Words]],
    languages: tuple[str, str],
) -> list[Links]:
    """Links between sources and the translations of their varied forms.

    Each text is the source's words, the order that they were put in, and the translation's words.
    """
    pairs = [([words[i] for i in order], own) for words, order, own in texts]
    found = aligner.align(pairs, *languages)
    return [
        tuple(sorted((order[i], j) for i, j in links))
        for (_, order, _), links in zip(texts, found, strict=True)
    ]


def turning(
    source: Words, order: Sequence[int], clean: Iterable[Links], varied: Links, translation: Words
) -> Turning:
    """What the varied translation made of the source's words, beside clean translations of it.

    A pair counts once for each clean translation. Marks do not count, and a word that was only
    copied is not translated.

    >>> source, order = "he left without speaking".split(), (0, 3, 2, 1)
    >>> clean = ((0, 0), (1, 1), (2, 2), (3, 3))  # il partit sans parler
    >>> varied = ((0, 0), (1, 3), (2, 2), (3, 1))
    >>> turning(source, order, [clean], varied, "il parla sans partir".split())
    Turning(turned=3, pairs=3, translated=1.0)
    """
    places = {word: place for place, word in enumerate(order)}
    sizes = [sum(map(str.isalnum, word)) for word in source]
    here = {i: j for i, j in varied if sizes[i]}
    turned = pairs = 0
    for links in clean:
        there = dict(links)
        for one, two in combinations([i for i in here if i in there], 2):
            if (one < two) != (places[one] < places[two]):
                pairs += 1
                turned += (here[one] < here[two]) != (there[one] < there[two])
    known = sum(sizes[i] for i, j in here.items() if _translated(source[i], translation[j]))
    return Turning(turned, pairs, known / max(sum(sizes), 1))


def _translated(word: str, other: str) -> bool:
    return key(word) != key(other) or word.isdigit()
