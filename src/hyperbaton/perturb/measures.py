"""Measures of what a reordering did: how far units went, and how many neighbours are still ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from hyperbaton.perturb.perturbation import Reordering, Variant
from hyperbaton.sentence import Sentence, expand

__all__ = ["Measures", "bigram_f", "displacement", "idc", "measure", "moved"]


def displacement(order: Sequence[int]) -> float:
    """How many places a unit went on average.

    >>> displacement((2, 1, 0))
    1.3333333333333333
    """
    return sum(abs(i - old) for i, old in enumerate(order)) / len(order) if order else 0.0


def idc(order: Sequence[int]) -> float:
    """Index displacement count: the mean displacement over the length; a reversal has one half.

    >>> idc((3, 2, 1, 0))
    0.5
    """
    return displacement(order) / len(order) if order else 0.0


def moved(order: Sequence[int]) -> float:
    """The share of units that stand elsewhere than before.

    >>> moved((0, 2, 1, 3))
    0.5
    """
    return sum(i != old for i, old in enumerate(order)) / len(order) if order else 0.0


def bigram_f(text: str, perturbed: str) -> float:
    """F-score of character bigrams, white space kept: the local structure that is left.

    >>> bigram_f("abcd", "cdab")
    0.6666666666666666
    """
    if len(text) < 2 and len(perturbed) < 2:
        return float(text == perturbed)
    old = Counter(map(str.__add__, text, text[1:]))
    new = Counter(map(str.__add__, perturbed, perturbed[1:]))
    return 2 * (old & new).total() / (old.total() + new.total())


class Measures(NamedTuple):
    """The measures of one variant; `displacement` and `moved` count units, `idc` characters."""

    idc: float
    bigram_f: float
    displacement: float
    moved: float


def measure(sentence: Sentence, perturbation: Reordering, variant: Variant) -> Measures:
    """All measures of a variant that a reordering made.

    Spaces belong to no word, so they count in the IDC of characters and subwords only.

    >>> from hyperbaton.perturb.shuffle import Reversed
    >>> sentence = Sentence.from_words("a b c d e .".split(), "en")
    >>> measure(sentence, Reversed(), Variant("e d c b a .", (4, 3, 2, 1, 0, 5), "word", True))
    Measures(idc=0.3333333333333333, bigram_f=0.9, displacement=2.0, moved=0.6666666666666666)
    """
    order = variant.order or ()
    characters = expand(order, [len(unit) for unit in perturbation.units(sentence)])
    return Measures(
        idc(characters), bigram_f(sentence.text, variant.text), displacement(order), moved(order)
    )
