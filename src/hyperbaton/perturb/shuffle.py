"""The random family: words or stretches of them moved without regard to what they are."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import SHORTEST, Reordering


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


@dataclass(frozen=True)
class SpanSwap(Reordering):
    """Two stretches of words change places, each of `longest` words at most; the last token stays.

    >>> sentence = Sentence.from_words("He threw a stone at the dog .".split())
    >>> sentence.arrange(SpanSwap(longest=2).order(sentence, Rng(0, "1", "spanSwap")))
    'the dog threw a stone at He .'
    """

    name = "spanSwap"
    category = "random"
    random = True
    longest: int = 3

    def __post_init__(self) -> None:
        if self.longest < 1:
            raise HyperbatonError(f"spanSwap: longest is 1 or more, not {self.longest}")

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(sentence.words)
        if size < SHORTEST:
            return None
        free = size - 1
        left = 1 + rng.below(min(self.longest, free - 1))
        right = 1 + rng.below(min(self.longest, free - left))
        # Three gaps are left over: before, between and after the two stretches.
        between = rng.below(free - left - right + 1)
        before = rng.below(free - left - right - between + 1)
        cuts = (
            0,
            before,
            before + left,
            before + left + between,
            before + left + between + right,
            size,
        )
        parts = [range(start, end) for start, end in pairwise(cuts)]
        return (*parts[0], *parts[3], *parts[2], *parts[1], *parts[4])


@dataclass(frozen=True)
class BracketFlip(Reordering):
    """The words under a random binary tree, the two halves of each node exchanged with chance `p`.

    What stands together mostly stays together, as under a real tree.

    >>> sentence = Sentence.from_words("He threw a stone at the dog .".split())
    >>> sentence.arrange(BracketFlip(p=0.5).order(sentence, Rng(0, "1", "bracketFlip")))
    'at stone a threw He the dog .'
    """

    name = "bracketFlip"
    category = "random"
    random = True
    p: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.p <= 1:
            raise HyperbatonError(f"bracketFlip: p must be between 0 and 1, not {self.p}")

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(sentence.words)
        if size < SHORTEST:
            return None
        draws = iter(rng.numbers(2 * size))
        limit = int(self.p * 2**32)
        order: list[int] = []
        waiting = [(0, size - 1)]
        while waiting:
            start, end = waiting.pop()
            if end - start == 1:
                order.append(start)
                continue
            cut = start + 1 + next(draws) * (end - start - 1) // 2**32
            halves = [(start, cut), (cut, end)]
            # What is put on the stack last is taken off first.
            waiting += halves if next(draws) < limit else reversed(halves)
        return (*order, size - 1)
