"""What a perturbation is: a reordering of units or a rewriting of characters, and how it is drawn.

A perturbation that cannot be applied to a sentence answers None ("does not apply"), never with an
exception. An order that happens to be the identity does apply, as the paper counts it; the variant
then says that it is not `changed`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

from hyperbaton.base.randomness import Rng
from hyperbaton.base.spec import Registry, Spec
from hyperbaton.language.sentence import Need, Order, Sentence

SHORTEST = 6
"""The fewest tokens, final mark included, that most orders of words take."""
Category = Literal["random", "PoS", "tree", "unit", "surface", "control"]
Unit = Literal["word", "char", "subword"]


class Variant(NamedTuple):
    """What a perturbation made of a sentence."""

    text: str
    order: Order | None
    """The old index of the unit at each place; None where characters were rewritten."""
    unit: Unit | None
    changed: bool
    """Whether the text differs from the sentence's."""
    types: tuple[str, ...] | None = None
    """The types of the errors in it, where errors were made."""


class Perturbation(Spec, ABC):
    """A way to vary a sentence, as the user names it."""

    category: ClassVar[Category]
    possible: ClassVar[bool] = False
    """Whether the result is mostly grammatical, a label that analyses group by."""
    typed: ClassVar[bool] = False
    """Whether its variants have types of errors."""

    @property
    def random(self) -> bool:
        """Whether two draws may differ."""
        return False

    @property
    def needs(self) -> Need:
        """What of a sentence it must know; words can be had without a parser."""
        return "parse" if self.category in ("PoS", "tree") else "text"

    @abstractmethod
    def vary(self, sentence: Sentence, rng: Rng) -> Variant | None:
        """The variant of one draw, or None when the perturbation does not apply."""


class Reordering(Perturbation):
    """A permutation of the units of a sentence: nothing is lost and nothing is added."""

    unit: Unit = "word"
    """What is moved."""

    @property
    def needs(self) -> Need:
        """Words, where it moves them, unless it goes by what they are."""
        moves = self.unit == "word" and self.category != "control"
        return "words" if moves and super().needs == "text" else super().needs

    @abstractmethod
    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        """Which unit stands where, or None when the perturbation does not apply."""

    def units(self, sentence: Sentence) -> Sequence[str]:
        """The units that an order speaks of."""
        return sentence.words

    def write(self, sentence: Sentence, order: Order) -> str:
        """The text of the units in that order."""
        return sentence.arrange(order)

    def vary(self, sentence: Sentence, rng: Rng) -> Variant | None:
        order = self.order(sentence, rng)
        if order is None:
            return None
        text = self.write(sentence, order)
        return Variant(text, order, self.unit, text != sentence.text)


class Rewriting(Perturbation):
    """A change of characters: another case, another mark, another kind of space."""

    category = "surface"
    possible = True

    @abstractmethod
    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        """The text rewritten, or None when there is nothing to rewrite."""

    def vary(self, sentence: Sentence, rng: Rng) -> Variant | None:
        text = self.rewrite(sentence, rng)
        return None if text is None else Variant(text, None, None, text != sentence.text)


PERTURBATIONS: Registry[Perturbation] = Registry(
    "perturbation",
    {
        "treeMirrorPre": "hyperbaton.perturb.tree:TreeMirrorPre",
        "treeMirrorPost": "hyperbaton.perturb.tree:TreeMirrorPost",
        "treeMirrorIn": "hyperbaton.perturb.tree:TreeMirrorIn",
        "rotateAroundRoot": "hyperbaton.perturb.tree:RotateAroundRoot",
        "wordShuffle": "hyperbaton.perturb.shuffle:WordShuffle",
        "reversed": "hyperbaton.perturb.shuffle:Reversed",
        "shuffleHalvesFirst": "hyperbaton.perturb.shuffle:ShuffleHalvesFirst",
        "shuffleHalvesLast": "hyperbaton.perturb.shuffle:ShuffleHalvesLast",
        "nounSwaps": "hyperbaton.perturb.parts_of_speech:NounSwaps",
        "verbSwaps": "hyperbaton.perturb.parts_of_speech:VerbSwaps",
        "nounVerbSwap": "hyperbaton.perturb.parts_of_speech:NounVerbSwap",
        "nounVerbMismatched": "hyperbaton.perturb.parts_of_speech:NounVerbMismatched",
        "adverbVerbSwap": "hyperbaton.perturb.parts_of_speech:AdverbVerbSwap",
        "nounAdjSwap": "hyperbaton.perturb.parts_of_speech:NounAdjSwap",
        "functionalShuffle": "hyperbaton.perturb.parts_of_speech:FunctionalShuffle",
        "verbAtBeginning": "hyperbaton.perturb.parts_of_speech:VerbAtBeginning",
        "spanSwap": "hyperbaton.perturb.shuffle:SpanSwap",
        "bracketFlip": "hyperbaton.perturb.shuffle:BracketFlip",
        "FullShuffle": "hyperbaton.perturb.units:FullShuffle",
        "PhraseShuffle": "hyperbaton.perturb.units:PhraseShuffle",
        "NeighbourFlip": "hyperbaton.perturb.units:NeighbourFlip",
        "identity": "hyperbaton.perturb.units:Identity",
        "upper": "hyperbaton.perturb.surface:Upper",
        "lower": "hyperbaton.perturb.surface:Lower",
        "title": "hyperbaton.perturb.surface:Title",
        "firstUpper": "hyperbaton.perturb.surface:FirstUpper",
        "firstLower": "hyperbaton.perturb.surface:FirstLower",
        "addFinalMark": "hyperbaton.perturb.surface:AddFinalMark",
        "dropFinalMark": "hyperbaton.perturb.surface:DropFinalMark",
        "apostrophe": "hyperbaton.perturb.surface:Apostrophe",
        "quotes": "hyperbaton.perturb.surface:Quotes",
        "whitespace": "hyperbaton.perturb.surface:Whitespace",
        "errors": "hyperbaton.perturb.errors.errors:Errors",
    },
)


def needed(perturbations: Iterable[Perturbation]) -> Need:
    """The most that any of these perturbations must know of a sentence.

    >>> needed(map(PERTURBATIONS.parse, ("upper", "reversed"))), needed([])
    ('words', 'text')
    """
    kinds = {perturbation.needs for perturbation in perturbations}
    order: tuple[Need, ...] = ("parse", "words")
    return next((need for need in order if need in kinds), "text")


def redrawn(
    perturbation: Perturbation, sentence: Sentence, rng: Rng, redraws: int
) -> Variant | None:
    """A draw, and up to so many more of the same generator while the text comes out unchanged.

    The first draw is the ordinary one. Where no order can change the text (two equal units), the
    last draw is returned, and its `changed` says so.
    """
    variant = perturbation.vary(sentence, rng)
    if perturbation.random:
        while redraws > 0 and variant is not None and not variant.changed:
            variant = perturbation.vary(sentence, rng)
            redraws -= 1
    return variant


def perturb(
    sentence: Sentence,
    perturbation: Perturbation,
    *,
    seed: int = 0,
    draw: int = 0,
    redraws: int = 0,
) -> Variant | None:
    """One draw of a perturbation, the same wherever and whenever it is made.

    `redraws` allows so many further draws while the text comes out unchanged.

    >>> sentence = Sentence.from_words("Have you ever seen a car accident ?".split(), "en")
    >>> perturb(sentence, PERTURBATIONS.parse("reversed")).text
    'accident car a seen ever you Have ?'
    """
    rng = Rng(seed, sentence.id, str(perturbation), draw)
    return redrawn(perturbation, sentence, rng, redraws)


class Draw(NamedTuple):
    """One of the variants of a sentence; None where the perturbation does not apply."""

    sentence: Sentence
    perturbation: Perturbation
    draw: int
    variant: Variant | None


def perturb_all(
    sentences: Iterable[Sentence],
    perturbations: Sequence[Perturbation],
    *,
    seed: int = 0,
    draws: int = 1,
    redraws: int = 0,
) -> Iterator[Draw]:
    """Every perturbation of every sentence as they come; only random ones are drawn repeatedly."""
    plan = [
        (perturbation, str(perturbation), draw)
        for perturbation in perturbations
        for draw in range(draws if perturbation.random else 1)
    ]
    for sentence in sentences:
        for perturbation, name, draw in plan:
            rng = Rng(seed, sentence.id, name, draw)
            yield Draw(sentence, perturbation, draw, redrawn(perturbation, sentence, rng, redraws))
