"""The ways to vary a sentence that the page offers, and what each makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from hyperbaton.alignment.judging import word_order
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import Sentence, is_permutation
from hyperbaton.perturb import PERTURBATIONS, Perturbation, Variant, perturb
from hyperbaton.perturb.errors.errors import SHARES
from hyperbaton.perturb.groups import SURFACE, WORDORDER
from hyperbaton.play.mistakes import Mistake

__all__ = ["OFFERED", "as_json", "by_hand", "drawn_anew", "moved", "offered", "vary"]

OFFERED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "words": (*WORDORDER, "NeighbourFlip(p=0.5, unit=word)"),
        "characters": ("NeighbourFlip(p=0.3)", "PhraseShuffle(p=0.3)", "FullShuffle"),
        "errors": ("errors", *(f"errors(kinds={kind})" for kind in SHARES)),
        "surface": SURFACE,
    }
)
"""The perturbations of each group of buttons, as they print."""
_REDRAWS = 20
"""Further draws while a random perturbation leaves the sentence as it is."""
_MOST_DRAWS = 1_000_000


def _known(name: object) -> Perturbation:
    if not isinstance(name, str) or not any(name in names for names in OFFERED.values()):
        raise Mistake("wrong_perturbation", name=f"{name!s:.80}")
    return PERTURBATIONS.parse(name)


def drawn_anew() -> list[str]:
    """The perturbations whose next draw may differ."""
    names = (name for group in OFFERED.values() for name in group)
    return [name for name in names if PERTURBATIONS.parse(name).random]


def vary(sentence: Sentence, name: object, draw: object = 0) -> Variant | None:
    """What a perturbation makes of a sentence; None where it does not apply."""
    if not isinstance(draw, int) or not 0 <= draw < _MOST_DRAWS:
        raise HyperbatonError(f"a draw is a whole number below {_MOST_DRAWS:,}")
    return perturb(sentence, _known(name), draw=draw, redraws=_REDRAWS)


def moved(sentence: Sentence, order: object) -> Variant:
    """The sentence with its words in an order of the reader's own.

    >>> moved(Sentence.from_words("go home Tom".split()), [2, 0, 1]).text
    'Tom go home'
    """
    if not isinstance(order, Sequence) or not all(type(place) is int for place in order):
        raise HyperbatonError("an order is a list of whole numbers")
    if not is_permutation(order, len(sentence)):
        raise Mistake("wrong_order", size=len(sentence))
    text = sentence.arrange(order)
    return Variant(text, tuple(order), "word", text != sentence.text)


def by_hand(sentence: Sentence, text: str) -> Variant:
    """The sentence in other words, as the reader typed them."""
    return Variant(text, None, None, text != sentence.text)


def offered(sentence: Sentence) -> dict[str, dict[str, object]]:
    """The first draw of every perturbation of the page that changes the sentence."""
    names = (name for group in OFFERED.values() for name in group)
    found = ((name, vary(sentence, name)) for name in names)
    return {name: as_json(one) for name, one in found if one is not None and one.changed}


def as_json(variant: Variant) -> dict[str, object]:
    """A variant as the page reads it: its text, and the order of words where only that changed."""
    return {"text": variant.text, "order": word_order(variant)}
