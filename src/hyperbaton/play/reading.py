"""What the page asks, read from JSON and checked before anything is done with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import parse_pair
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Variant
from hyperbaton.play.answers import Question
from hyperbaton.play.mistakes import Mistake
from hyperbaton.play.sentences import Found, Sentences, checked_text
from hyperbaton.play.variants import by_hand, moved, vary

__all__ = ["Asked", "asked_pair", "asked_sentence", "read_asked"]

_PAGE = re.compile(r"[0-9a-z]{1,32}")


@dataclass(frozen=True)
class Asked:
    """A question, who asks, and which systems."""

    page: str
    number: int
    systems: tuple[str, ...]
    question: Question


def asked_pair(content: Mapping[str, object]) -> tuple[str, str]:
    """The languages that are chosen on the page."""
    pair = content.get("pair")
    if not isinstance(pair, str):
        raise HyperbatonError("the languages are missing: choose them on the page")
    return parse_pair(pair)


def asked_sentence(content: Mapping[str, object], sentences: Sentences) -> Found:
    """The sentence on the page with what is known of it."""
    text = checked_text(content.get("text"), "sentence")
    if not text:
        raise Mistake("wrong_empty_sentence")
    return sentences.find(asked_pair(content)[0], text)


def read_asked(content: Mapping[str, object], sentences: Sentences) -> Asked:
    """A whole question; reading it may parse, so it belongs in a thread of its own."""
    page = content.get("page")
    if not isinstance(page, str) or not _PAGE.fullmatch(page):
        raise HyperbatonError("the page has no name: load it again")
    systems = content.get("systems")
    if not isinstance(systems, list) or not all(isinstance(name, str) for name in systems):
        raise HyperbatonError("systems is a list of names")
    number = content.get("number")
    if type(number) is not int:
        raise HyperbatonError("number is a whole number")
    pair = asked_pair(content)
    sentence = asked_sentence(content, sentences).sentence
    reference = _reference(content, pair[1], sentences)
    variant, varied_reference = _variant(content.get("variant"), sentence, reference)
    question = Question(pair, sentence, variant, reference, varied_reference)
    return Asked(page, number, tuple(dict.fromkeys(systems)), question)


def _reference(
    content: Mapping[str, object], language: str, sentences: Sentences
) -> Sentence | None:
    text = checked_text(content.get("reference", ""), "reference")
    return sentences.find(language, text).sentence if text else None


def _variant(
    asked: object, sentence: Sentence, reference: Sentence | None
) -> tuple[Variant, str | None]:
    """The variant that is asked for, and the reference changed in the same way where it can be."""
    if asked is None:
        return by_hand(sentence, sentence.text), None
    if not isinstance(asked, dict):
        raise HyperbatonError("a variant is an object")
    if "order" in asked:
        return moved(sentence, asked["order"]), None
    if "text" in asked:
        text = checked_text(asked["text"], "variant")
        if not text:
            raise Mistake("wrong_empty_variant")
        return by_hand(sentence, text), None
    name, draw = asked.get("name"), asked.get("draw", 0)
    variant = vary(sentence, name, draw)
    if variant is None:
        raise Mistake("does_not_apply")
    theirs = None if reference is None else vary(reference, name, draw)
    return variant, None if theirs is None else theirs.text
