"""The part-of-speech family, second half: words of one kind change places with words of another.

The paper's text pairs what is closest, its code pairs by rank. The printed examples agree with the
code, so `pairing="paper"` is the default.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import Reordering
from hyperbaton.perturb.slots import SHORTEST, Span, fill_spans, identity, movable_units, tagged

__all__ = ["AdverbVerbSwap", "NounAdjSwap", "NounVerbMismatched", "NounVerbSwap", "Pairing"]

Pairing = Literal["paper", "nearest"]
Pair = tuple[Span, int]
"""A span and the word that it changes places with."""


def exchange(length: int, pairs: Iterable[Pair]) -> Order:
    """The order in which the span and the word of every pair have changed places.

    >>> exchange(5, [((0, 2), 3)])
    (3, 2, 0, 1, 4)
    """
    fills: list[tuple[Span, Span]] = []
    for span, word in pairs:
        single = (word, word + 1)
        fills += ((span, single), (single, span))
    fills.sort()
    return fill_spans(length, fills)


def nearest(spans: Sequence[Span], words: Sequence[int], farthest: bool = False) -> list[Pair]:
    """Pairs by distance, the nearest (or farthest) first, ties to the left, each member once.

    >>> nearest([(0, 1), (4, 5)], [3])
    [((4, 5), 3)]
    """
    sign = -1 if farthest else 1
    ranked = sorted(
        (sign * max(word - span[1], span[0] - word - 1), min(span[0], word), span, word)
        for span in spans
        for word in words
    )
    pairs: list[Pair] = []
    paired: set[Span | int] = set()
    for _, _, span, word in ranked:
        if span not in paired and word not in paired:
            paired |= {span, word}
            pairs.append((span, word))
    return pairs


def _nearest_words(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    return [(span[0], word) for span, word in nearest([(i, i + 1) for i in left], right)]


def _free(sentence: Sentence, *tags: str) -> Sequence[int]:
    """The words of these parts of speech that lie in no noun unit."""
    words = tagged(sentence, *tags)
    inside = sentence.noun_words
    return words if inside.isdisjoint(words) else [i for i in words if i not in inside]


def _swap(sentence: Sentence, pairs: Sequence[Pair]) -> Order | None:
    size = len(sentence.words)
    return exchange(size, pairs) if pairs and size >= SHORTEST else None


def _swap_words(sentence: Sentence, pairs: Sequence[tuple[int, int]]) -> Order | None:
    size = len(sentence.words)
    if not pairs or size < SHORTEST:
        return None
    order = list(identity(size))
    for left, right in pairs:
        order[left], order[right] = right, left
    return tuple(order)


@dataclass(frozen=True)
class NounVerbSwap(Reordering):
    """Each noun unit changes places with a verb or auxiliary: the first with the first, and so on.

    With `pairing="nearest"`, each with the closest one.

    >>> from dataclasses import replace
    >>> sentence = replace(
    ...     Sentence.from_words("Have you tried online dating ?".split()),
    ...     upos=("AUX", "PRON", "VERB", "ADJ", "VERB", "PUNCT"),
    ...     noun_chunks=((1, 2),),
    ... )
    >>> sentence.arrange(NounVerbSwap().order(sentence, Rng(0, "1", "nounVerbSwap")))
    'you Have tried online dating ?'
    """

    name = "nounVerbSwap"
    category = "PoS"
    possible = True
    pairing: Pairing = "paper"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        units = movable_units(sentence)
        verbs = _free(sentence, "VERB", "AUX")
        if self.pairing == "nearest":
            return _swap(sentence, nearest(units, verbs))
        return _swap(sentence, list(zip(units, verbs, strict=False)))


@dataclass(frozen=True)
class NounVerbMismatched(Reordering):
    """Each noun unit changes places with a verb of the other end: the first with the last.

    With `pairing="nearest"`, which here means by distance, each with the farthest one.

    >>> from dataclasses import replace
    >>> sentence = replace(
    ...     Sentence.from_words("Of course you can stay .".split()),
    ...     upos=("ADV", "ADV", "PRON", "AUX", "VERB", "PUNCT"),
    ...     noun_chunks=((2, 3),),
    ... )
    >>> sentence.arrange(NounVerbMismatched().order(sentence, Rng(0, "1", "nounVerbMismatched")))
    'Of course stay can you .'
    """

    name = "nounVerbMismatched"
    category = "PoS"
    possible = True
    pairing: Pairing = "paper"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        units = movable_units(sentence)
        verbs = _free(sentence, "VERB")
        if self.pairing == "nearest":
            return _swap(sentence, nearest(units, verbs, farthest=True))
        return _swap(sentence, list(zip(units, reversed(verbs), strict=False)))


@dataclass(frozen=True)
class AdverbVerbSwap(Reordering):
    """Each adverb changes places with a verb, both counted from the right.

    With `pairing="nearest"`, each with the closest one.

    >>> from dataclasses import replace
    >>> sentence = replace(
    ...     Sentence.from_words("He never really knew her .".split()),
    ...     upos=("PRON", "ADV", "ADV", "VERB", "PRON", "PUNCT"),
    ... )
    >>> sentence.arrange(AdverbVerbSwap().order(sentence, Rng(0, "1", "adverbVerbSwap")))
    'He never knew really her .'
    """

    name = "adverbVerbSwap"
    category = "PoS"
    possible = True
    pairing: Pairing = "paper"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        adverbs = tagged(sentence, "ADV")
        verbs = tagged(sentence, "VERB")
        if self.pairing == "nearest":
            return _swap_words(sentence, _nearest_words(adverbs, verbs))
        return _swap_words(sentence, list(zip(reversed(adverbs), reversed(verbs), strict=False)))


@dataclass(frozen=True)
class NounAdjSwap(Reordering):
    """Each noun or pronoun, from the right, changes places with an adjective, from the left.

    With `pairing="nearest"`, each with the closest one.

    >>> from dataclasses import replace
    >>> sentence = replace(
    ...     Sentence.from_words("That architect builds very modern houses .".split()),
    ...     upos=("DET", "NOUN", "VERB", "ADV", "ADJ", "NOUN", "PUNCT"),
    ... )
    >>> sentence.arrange(NounAdjSwap().order(sentence, Rng(0, "1", "nounAdjSwap")))
    'That architect builds very houses modern .'
    """

    name = "nounAdjSwap"
    category = "PoS"
    possible = True
    pairing: Pairing = "paper"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        nouns = tagged(sentence, "NOUN", "PRON")
        adjectives = tagged(sentence, "ADJ")
        if self.pairing == "nearest":
            return _swap_words(sentence, _nearest_words(nouns, adjectives))
        return _swap_words(sentence, list(zip(reversed(nouns), adjectives, strict=False)))
