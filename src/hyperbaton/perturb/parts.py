"""The part-of-speech family, first half: words of one kind change places among themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import Reordering
from hyperbaton.perturb.slots import SHORTEST, fill, fill_spans, movable_units, tagged

__all__ = ["FunctionalShuffle", "NounSwaps", "VerbAtBeginning", "VerbSwaps"]

_FUNCTIONAL = ("ADP", "DET")
_WITH_CONJUNCTIONS = (*_FUNCTIONAL, "CCONJ", "SCONJ")


@dataclass(frozen=True)
class NounSwaps(Reordering):
    """The noun units shuffled over their slots.

    >>> from dataclasses import replace
    >>> sentence = Sentence.from_words("Tom met the old doctor .".split())
    >>> sentence = replace(sentence, upos=("PROPN", "VERB", "DET", "ADJ", "NOUN", "PUNCT"))
    >>> sentence = replace(sentence, noun_chunks=((0, 1), (2, 5)))
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

    >>> from dataclasses import replace
    >>> sentence = Sentence.from_words("You should give up smoking .".split())
    >>> sentence = replace(sentence, upos=("PRON", "AUX", "VERB", "ADP", "VERB", "PUNCT"))
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
    """Prepositions and determiners, on demand conjunctions too, shuffled over their slots.

    The paper's text counts the conjunctions in, its code and printed examples leave them out.

    >>> from dataclasses import replace
    >>> sentence = Sentence.from_words("He put the book on a shelf .".split())
    >>> tags = ("PRON", "VERB", "DET", "NOUN", "ADP", "DET", "NOUN", "PUNCT")
    >>> sentence = replace(sentence, upos=tags)
    >>> FunctionalShuffle().order(sentence, Rng(0, "4", "functionalShuffle"))
    (0, 1, 5, 3, 2, 4, 6, 7)
    """

    name = "functionalShuffle"
    category = "PoS"
    possible = True
    random = True
    conjunctions: bool = False

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(sentence.words)
        found = tagged(sentence, *(_WITH_CONJUNCTIONS if self.conjunctions else _FUNCTIONAL))
        if size < SHORTEST or len(found) < 2:
            return None
        return fill(size, found, rng.shuffled(found))


@dataclass(frozen=True)
class VerbAtBeginning(Reordering):
    """The verbs of each sentence at its front, each new one before the earlier ones.

    That is the paper's code and printed examples; its text moves the first verb only.

    >>> from dataclasses import replace
    >>> sentence = Sentence.from_words("Let me talk with Tom .".split())
    >>> sentence = replace(sentence, upos=("VERB", "PRON", "VERB", "ADP", "PROPN", "PUNCT"))
    >>> sentence.arrange(VerbAtBeginning().order(sentence, Rng(0, "1", "verbAtBeginning")))
    'talk Let me with Tom .'
    """

    name = "verbAtBeginning"
    category = "PoS"
    verbs: Literal["all", "first"] = "all"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        verbs = tagged(sentence, "VERB")
        order: list[int] = []
        applies = False
        for start, end in sentence.spans:
            moved = [i for i in reversed(verbs) if start <= i < end - 1]
            if self.verbs == "first":
                moved = moved[-1:]
            applies = applies or bool(moved)
            order += moved
            order += [i for i in range(start, end) if i not in moved]
        return tuple(order) if applies else None
