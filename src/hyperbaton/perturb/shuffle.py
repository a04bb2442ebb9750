"""The random family: words shuffled or reversed without regard to what they are."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import Reordering
from hyperbaton.perturb.slots import SHORTEST

__all__ = ["Reversed", "ShuffleHalvesFirst", "ShuffleHalvesLast", "WordShuffle"]


@dataclass(frozen=True)
class WordShuffle(Reordering):
    """All words but the last token in random order.

    >>> sentence = Sentence.from_words("He threw a stone at the dog .".split())
    >>> WordShuffle().order(sentence, Rng(0, "1", "wordShuffle"))
    (6, 2, 0, 4, 1, 3, 5, 7)
    """

    name = "wordShuffle"
    category = "random"
    random = True

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(sentence.words)
        return None if size < SHORTEST else (*rng.permutation(size - 1), size - 1)


@dataclass(frozen=True)
class Reversed(Reordering):
    """All words but the last token in reverse.

    >>> sentence = Sentence.from_words("I will be busy next week .".split())
    >>> sentence.arrange(Reversed().order(sentence, Rng(0, "1", "reversed")))
    'week next busy be will I .'
    """

    name = "reversed"
    category = "random"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        last = len(sentence.words) - 1
        return None if last + 1 < SHORTEST else (*range(last - 1, -1, -1), last)


@dataclass(frozen=True)
class ShuffleHalvesFirst(Reordering):
    """The first half of the words in random order.

    >>> sentence = Sentence.from_words("Why did n't you call me last night ?".split())
    >>> ShuffleHalvesFirst().order(sentence, Rng(0, "1", "shuffleHalvesFirst"))
    (2, 0, 3, 1, 4, 5, 6, 7, 8)
    """

    name = "shuffleHalvesFirst"
    category = "random"
    random = True

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(sentence.words)
        half = size // 2
        return None if size < SHORTEST else (*rng.permutation(half), *range(half, size))


@dataclass(frozen=True)
class ShuffleHalvesLast(Reordering):
    """The second half of the words, without the last token, in random order.

    The convention of the paper seeds CPython's generator with the number of tokens, so that it has
    one result only: the printed one.

    >>> sentence = Sentence.from_words("Tom took part in the race .".split())
    >>> paper = ShuffleHalvesLast(convention="paper")
    >>> sentence.arrange(paper.order(sentence, Rng(0, "1", str(paper))))
    'Tom took part race in the .'
    """

    name = "shuffleHalvesLast"
    category = "random"
    convention: Literal["keyed", "paper"] = "keyed"

    @property
    def random(self) -> bool:
        """Whether two draws may differ."""
        return self.convention == "keyed"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(sentence.words)
        if size < SHORTEST:
            return None
        half = size // 2
        moved = list(range(half, size - 1))
        if self.convention == "paper":
            random.Random(size).shuffle(moved)
        else:
            moved = rng.shuffled(moved)
        return (*range(half), *moved, size - 1)
