"""The unit family: characters, subwords or words of a text shuffled, whole, by phrase or by flips.

Unlike the word-order families it moves everything, the final mark too. A character has its accents
and other marks with it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.language.letters import letters
from hyperbaton.language.sentence import Order, Sentence, expand
from hyperbaton.perturb.perturbation import Reordering, Unit
from hyperbaton.perturb.subwords import subwords


def flip(flips: Sequence[bool]) -> Order:
    """The order after a stream that holds one unit: a flip emits the new unit, a keep the held one.

    >>> flip([True, True, False])
    (1, 2, 0, 3)
    """
    held = 0
    order = []
    for new, flipped in enumerate(flips, 1):
        if flipped:
            order.append(new)
        else:
            order.append(held)
            held = new
    order.append(held)
    return tuple(order)


class Units(Reordering):
    """What the three share: the units of a text, and a permutation that knows only their number."""

    category = "unit"
    random = True
    unit: Unit
    tokenizer: str | None

    def __post_init__(self) -> None:
        if self.unit == "subword" and self.tokenizer is None:
            raise HyperbatonError(
                f"{self.name}(unit=subword) needs the tokenizer that makes the subwords: "
                f"{self.name}(unit=subword, tokenizer=PATH)"
            )
        if self.unit != "subword" and self.tokenizer is not None:
            raise HyperbatonError(f"{self.name}: tokenizer needs unit=subword")
        if not 0 <= (p := getattr(self, "p", 0)) <= 1:
            raise HyperbatonError(f"{self.name}: p must be between 0 and 1, not {p}")

    def units(self, sentence: Sentence) -> Sequence[str]:
        if self.tokenizer is not None:
            return subwords(sentence.text, self.tokenizer)
        return letters(sentence.text) if self.unit == "char" else sentence.words

    def write(self, sentence: Sentence, order: Order) -> str:
        if self.unit == "word":
            return sentence.arrange(order)
        return "".join(map(self.units(sentence).__getitem__, order))

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        size = len(self.units(sentence))
        return None if size < 2 else self.permute(size, rng)

    @abstractmethod
    def permute(self, size: int, rng: Rng) -> Order:
        """An order of so many units, two at least."""


@dataclass(frozen=True)
class FullShuffle(Units):
    """All units in random order.

    >>> FullShuffle().vary(Sentence.from_words(["typesetting"]), Rng(0, "1", "FullShuffle")).text
    'tpeseytintg'
    """

    name = "FullShuffle"
    unit: Unit = "char"
    tokenizer: str | None = None

    def permute(self, size: int, rng: Rng) -> Order:
        return tuple(rng.permutation(size))


@dataclass(frozen=True)
class PhraseShuffle(Units):
    """Phrases in random order; before each unit a phrase ends with probability p.

    >>> shuffle = PhraseShuffle(p=0.3)
    >>> shuffle.vary(Sentence.from_words(["typesetting"]), Rng(0, "1", str(shuffle))).text
    'tintypesget'
    """

    name = "PhraseShuffle"
    p: float
    unit: Unit = "char"
    tokenizer: str | None = None

    def permute(self, size: int, rng: Rng) -> Order:
        starts = [0, *(i for i, ends in enumerate(rng.coins(self.p, size - 1), 1) if ends), size]
        lengths = [end - start for start, end in pairwise(starts)]
        return expand(rng.permutation(len(lengths)), lengths)


@dataclass(frozen=True)
class NeighbourFlip(Units):
    """A unit in hand is overtaken by the next one with probability p, and by the one after that.

    >>> flips = NeighbourFlip(p=0.3)
    >>> flips.vary(Sentence.from_words(["typesetting"]), Rng(0, "1", str(flips))).text
    'typesteting'
    """

    name = "NeighbourFlip"
    p: float
    unit: Unit = "char"
    tokenizer: str | None = None

    def permute(self, size: int, rng: Rng) -> Order:
        return flip(rng.coins(self.p, size - 1))


@dataclass(frozen=True)
class Identity(Reordering):
    """Every word in its place: the unperturbed benchmark, and the control for a system's own noise.

    >>> Identity().order(Sentence.from_words(["as", "it", "was"]), Rng(0, "1", "identity"))
    (0, 1, 2)
    """

    name = "identity"
    category = "control"
    possible = True

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        return tuple(range(len(sentence.words)))
