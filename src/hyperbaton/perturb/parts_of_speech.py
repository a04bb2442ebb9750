"""The part-of-speech family: words of one kind change places, among themselves or with others.

Of six of them the paper's text says something else than its code does: `code` and `text` name the
two. The printed examples agree with the code, so `code` is the default.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import SHORTEST, Reordering

Span = tuple[int, int]
Pair = tuple[Span, int]
"""A span and the word that it changes places with."""
Source = Literal["code", "text"]
"""Whether the paper's code is followed, or its text."""

_FUNCTIONAL = ("ADP", "DET")
_WITH_CONJUNCTIONS = (*_FUNCTIONAL, "CCONJ", "SCONJ")


@dataclass(frozen=True)
class NounSwaps(Reordering):
    """The noun units shuffled over their slots.

    >>> words = "Tom met the old doctor .".split()
    >>> tags = "PROPN VERB DET ADJ NOUN PUNCT".split()
    >>> sentence = Sentence.from_words(words, upos=tags, noun_chunks=((0, 1), (2, 5)))
    >>> NounSwaps().order(sentence, Rng(0, "1", "nounSwaps"))
    (2, 3, 4, 1, 0, 5)
    """

    name = "nounSwaps"
    category = "PoS"
    possible = True
    random = True

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        units = movable_units(sentence)
        if len(units) < 2:
            return None
        return fill_spans(len(sentence.words), zip(units, rng.shuffled(units), strict=True))


@dataclass(frozen=True)
class VerbSwaps(Reordering):
    """Verbs and auxiliaries shuffled over their slots.

    >>> words = "You should give up smoking .".split()
    >>> tags = "PRON AUX VERB ADP VERB PUNCT".split()
    >>> sentence = Sentence.from_words(words, upos=tags)
    >>> VerbSwaps().order(sentence, Rng(0, "1", "verbSwaps"))
    (0, 1, 4, 3, 2, 5)
    """

    name = "verbSwaps"
    category = "PoS"
    possible = True
    random = True

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        words = sentence.words
        verbs = tagged(sentence, "VERB", "AUX")
        if len(words) < SHORTEST or len({words[i] for i in verbs}) < 2:
            return None
        return fill(len(words), verbs, rng.shuffled(verbs))


@dataclass(frozen=True)
class FunctionalShuffle(Reordering):
    """Prepositions and determiners shuffled over their slots.

    That is the paper's code and printed examples; with `words="text"` conjunctions move, too.

    >>> words = "He put the book on a shelf .".split()
    >>> tags = "PRON VERB DET NOUN ADP DET NOUN PUNCT".split()
    >>> sentence = Sentence.from_words(words, upos=tags)
    >>> FunctionalShuffle().order(sentence, Rng(0, "4", "functionalShuffle"))
    (0, 1, 5, 3, 2, 4, 6, 7)
    """

    name = "functionalShuffle"
    category = "PoS"
    possible = True
    random = True
    words: Source = "code"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(sentence.words)
        words = tagged(sentence, *(_WITH_CONJUNCTIONS if self.words == "text" else _FUNCTIONAL))
        if size < SHORTEST or len(words) < 2:
            return None
        return fill(size, words, rng.shuffled(words))


@dataclass(frozen=True)
class VerbAtBeginning(Reordering):
    """The verbs of each sentence at its front, each new one before the earlier ones.

    That is the paper's code and printed examples; with `verbs="text"` the first verb alone moves.

    >>> words = "Let me talk with Tom .".split()
    >>> tags = "VERB PRON VERB ADP PROPN PUNCT".split()
    >>> sentence = Sentence.from_words(words, upos=tags)
    >>> sentence.arrange(VerbAtBeginning().order(sentence, Rng(0, "1", "verbAtBeginning")))
    'talk Let me with Tom .'
    """

    name = "verbAtBeginning"
    category = "PoS"
    verbs: Source = "code"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        verbs = tagged(sentence, "VERB")
        order: list[int] = []
        applies = False
        for start, end in sentence.spans:
            moved = [i for i in reversed(verbs) if start <= i < end - 1]
            if self.verbs == "text":
                moved = moved[-1:]
            applies = applies or bool(moved)
            order += moved
            order += [i for i in range(start, end) if i not in moved]
        return tuple(order) if applies else None


@dataclass(frozen=True)
class _Exchange(Reordering):
    """What the four below share: spans of one kind change places with words of another."""

    category = "PoS"
    possible = True
    farthest: ClassVar[bool] = False
    """Whether those farthest from one another make pairs, where pairs go by distance."""
    pairing: Source = "code"

    @abstractmethod
    def sides(self, sentence: Sentence) -> tuple[Sequence[Span], Sequence[int]]:
        """The spans and the words, in the order in which the paper pairs them."""

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        spans, words = self.sides(sentence)
        size = len(sentence.words)
        if not spans or not words or size < SHORTEST:
            return None
        if self.pairing == "text":
            pairs = nearest(spans, words, self.farthest)
        else:
            pairs = list(zip(spans, words, strict=False))
        return exchange(size, pairs)


@dataclass(frozen=True)
class NounVerbSwap(_Exchange):
    """Each noun unit changes places with a verb or auxiliary: the first with the first, and so on.

    With `pairing="text"`, each with the closest one.

    >>> words = "Have you tried online dating ?".split()
    >>> tags = "AUX PRON VERB ADJ VERB PUNCT".split()
    >>> sentence = Sentence.from_words(words, upos=tags, noun_chunks=((1, 2),))
    >>> sentence.arrange(NounVerbSwap().order(sentence, Rng(0, "1", "nounVerbSwap")))
    'you Have tried online dating ?'
    """

    name = "nounVerbSwap"

    def sides(self, sentence: Sentence) -> tuple[Sequence[Span], Sequence[int]]:
        return movable_units(sentence), outside_units(sentence, tagged(sentence, "VERB", "AUX"))


@dataclass(frozen=True)
class NounVerbMismatched(_Exchange):
    """Each noun unit changes places with a verb of the other end: the first with the last.

    With `pairing="text"`, each with the farthest one.

    >>> words = "Of course you can stay .".split()
    >>> tags = "ADV ADV PRON AUX VERB PUNCT".split()
    >>> sentence = Sentence.from_words(words, upos=tags, noun_chunks=((2, 3),))
    >>> sentence.arrange(NounVerbMismatched().order(sentence, Rng(0, "1", "nounVerbMismatched")))
    'Of course stay can you .'
    """

    name = "nounVerbMismatched"
    farthest = True

    def sides(self, sentence: Sentence) -> tuple[Sequence[Span], Sequence[int]]:
        verbs = outside_units(sentence, tagged(sentence, "VERB"))
        return movable_units(sentence), verbs[::-1]


@dataclass(frozen=True)
class AdverbVerbSwap(_Exchange):
    """Each adverb changes places with a verb, both counted from the right.

    With `pairing="text"`, each with the closest one.

    >>> words = "He never really knew her .".split()
    >>> tags = "PRON ADV ADV VERB PRON PUNCT".split()
    >>> sentence = Sentence.from_words(words, upos=tags)
    >>> sentence.arrange(AdverbVerbSwap().order(sentence, Rng(0, "1", "adverbVerbSwap")))
    'He never knew really her .'
    """

    name = "adverbVerbSwap"

    def sides(self, sentence: Sentence) -> tuple[Sequence[Span], Sequence[int]]:
        adverbs = tagged(sentence, "ADV")
        return [(i, i + 1) for i in reversed(adverbs)], tagged(sentence, "VERB")[::-1]


@dataclass(frozen=True)
class NounAdjSwap(_Exchange):
    """Each noun or pronoun, from the right, changes places with an adjective, from the left.

    With `pairing="text"`, each with the closest one.

    >>> words = "That architect builds very modern houses .".split()
    >>> tags = "DET NOUN VERB ADV ADJ NOUN PUNCT".split()
    >>> sentence = Sentence.from_words(words, upos=tags)
    >>> sentence.arrange(NounAdjSwap().order(sentence, Rng(0, "1", "nounAdjSwap")))
    'That architect builds very houses modern .'
    """

    name = "nounAdjSwap"

    def sides(self, sentence: Sentence) -> tuple[Sequence[Span], Sequence[int]]:
        nouns = tagged(sentence, "NOUN", "PRON")
        return [(i, i + 1) for i in reversed(nouns)], tagged(sentence, "ADJ")


def tagged(sentence: Sentence, *tags: str) -> Sequence[int]:
    """The words of these parts of speech, the last token left out since it never moves."""
    movable = sentence.movable
    if len(tags) == 1:
        return movable.get(tags[0], ())
    words: list[int] = []
    for tag in tags:
        words += movable.get(tag, ())
    words.sort()
    return words


def movable_units(sentence: Sentence) -> Sequence[Span]:
    """The noun units that do not hold the last token, which never moves."""
    units = sentence.noun_units
    return units[:-1] if units and units[-1][1] == len(sentence.words) else units


def outside_units(sentence: Sentence, words: Sequence[int]) -> Sequence[int]:
    """Those of these words that lie in no noun unit."""
    inside = sentence.noun_words
    return words if inside.isdisjoint(words) else [i for i in words if i not in inside]


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
