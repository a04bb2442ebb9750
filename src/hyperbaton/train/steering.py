"""Training text for a translator that can be told to repair word order, or to carry it over.

*Robust* rows have a reordered or misspelt source and the clean target, and sound sources, so that
these are left as they are. *Faithful* rows have a reordered source, and the target with its words
moved as those of the source were.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hyperbaton.alignment.aligner import Links
from hyperbaton.alignment.word_order import neighbour, project
from hyperbaton.alignment.words import cut, spaced
from hyperbaton.base.randomness import Rng
from hyperbaton.language.languages import base
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.perturbation import PERTURBATIONS, Perturbation, Reordering

_CLITIC = re.compile(r"(?i)(.+?)(n['’]t|['’](?:s|re|ve|ll|d|m))")
ORDERS = (
    *("wordShuffle", "reversed", "shuffleHalvesFirst", "shuffleHalvesLast"),
    *("spanSwap(longest=1)", "spanSwap(longest=4)", "bracketFlip(p=0.5)", "bracketFlip(p=0.2)"),
)
"""Eight orders that need no parser: those of trees and parts of speech stay unseen."""
NOISE = ("NeighbourFlip(p=0.06, unit=char)", "errors(rate=0.12)")
"""Misspelt characters and learners' errors, for robust rows."""


class Row(NamedTuple):
    """A source, what to answer with, and the mode that asks for it."""

    mode: str
    source: str
    target: str


@dataclass(frozen=True)
class Steering:
    """How rows are drawn: of each pair the same, wherever and whenever it is met."""

    orders: tuple[str, ...] = ORDERS
    noise: tuple[str, ...] = NOISE
    draws: int = 2
    """Reorderings of each sentence."""
    sound: float = 0.6
    """Share of the pairs that robust rows show as they are; faithful rows show half as many."""
    noisy: float = 0.3
    """Share of the pairs that robust rows show misspelt or with a learner's error."""
    seed: int = 0

    def rows(
        self,
        pairs: Iterable[tuple[str, str]],
        links: Iterable[Links],
        languages: tuple[str, str],
    ) -> Iterator[Row]:
        """The rows of one direction; links are between the words that `sentence` cuts."""
        orders = [PERTURBATIONS.parse(text) for text in self.orders]
        noise = [PERTURBATIONS.parse(text) for text in self.noise]
        for (source, target), linked in zip(pairs, links, strict=True):
            one, two = sentence(source, languages[0]), sentence(target, languages[1])
            chance = Rng(self.seed, source, "steering").numbers(3)
            if chance[0] < self.sound * 2**32:
                yield Row("robust", source, target)
            if chance[1] < self.sound * 2**31:
                yield Row("faithful", source, target)
            if chance[2] < self.noisy * 2**32:
                varied = self._vary(one, noise, -1)
                if varied is not None and varied[0].strip():
                    yield Row("robust", varied[0], target)
            for draw in range(self.draws):
                found = self._vary(one, orders, draw)
                if found is None or found[1] is None:
                    continue
                moved = project(found[1], two.words, linked, neighbour(languages[1]))
                yield Row("robust", found[0], target)
                yield Row("faithful", found[0], two.arrange(moved))

    def _vary(
        self, one: Sentence, choices: Sequence[Perturbation], draw: int
    ) -> tuple[str, Sequence[int] | None] | None:
        """One of the perturbations, drawn; None where it does not apply or changes nothing."""
        rng = Rng(self.seed, one.text, "steering", draw + 2)
        chosen = choices[rng.below(len(choices))]
        variant = chosen.vary(one, rng)
        if variant is None or not variant.changed:
            return None
        return variant.text, variant.order if isinstance(chosen, Reordering) else None


def sentence(text: str, language: str) -> Sentence:
    """The words of a text as a parser would cut them, without one.

    >>> sentence("Tom doesn't know Mary's aunt.", "en").words
    ('Tom', 'does', "n't", 'know', 'Mary', "'s", 'aunt', '.')
    """
    text = " ".join(text.split())
    words = cut(text, language)
    if base(language) == "en":
        words = [part for word in words for part in _clitics(word)]
    return spaced(text, words, language)


def _clitics(word: str) -> tuple[str, ...]:
    match = _CLITIC.fullmatch(word)
    return (match[1], match[2]) if match else (word,)
