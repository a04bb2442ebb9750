"""Orders of stretches of words, for which no parser is needed: two exchanged, or a tree made up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import Reordering
from hyperbaton.perturb.slots import SHORTEST

__all__ = ["BracketFlip", "SpanSwap"]


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
        one = 1 + rng.below(min(self.longest, free - 1))
        two = 1 + rng.below(min(self.longest, free - one))
        # Three gaps are left over: before, between and after the two stretches.
        between = rng.below(free - one - two + 1)
        before = rng.below(free - one - two - between + 1)
        cuts = (0, before, before + one, before + one + between, before + one + between + two, size)
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
