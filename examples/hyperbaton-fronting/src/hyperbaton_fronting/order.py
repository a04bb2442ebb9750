"""A perturbation: the last words before the final mark move to the front."""

from __future__ import annotations

from dataclasses import dataclass

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import Reordering

__all__ = ["LastToFirst"]


@dataclass(frozen=True)
class LastToFirst(Reordering):
    """The last words before the final mark move to the front.

    >>> sentence = Sentence.from_words("She will come home soon .".split())
    >>> sentence.arrange(LastToFirst(words=2).order(sentence, Rng(0, "1", "lastToFirst")))
    'home soon She will come .'
    """

    name = "lastToFirst"
    category = "random"
    words: int = 1

    def __post_init__(self) -> None:
        if self.words < 1:
            raise HyperbatonError(f"lastToFirst moves at least 1 word, not {self.words}")

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        """None where there is nothing to move them in front of."""
        end = len(sentence.words) - 1
        start = end - self.words
        return None if start < 1 else (*range(start, end), *range(start), end)
