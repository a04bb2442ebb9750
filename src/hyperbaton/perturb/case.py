"""Surface variants of case; they do not apply to languages whose script has none.

A foreign name in a Japanese sentence does not make it one with case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hyperbaton.base.randomness import Rng
from hyperbaton.language.languages import base, has_case
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.perturbation import Rewriting

__all__ = ["FirstLower", "FirstUpper", "Lower", "Title", "Upper"]

_DOTTED = frozenset({"tr", "az"})
_LETTER = re.compile(r"[^\W\d_]")
_FIRST_LETTERS = re.compile(r"(?:(?<=^)|(?<=\s))[^\w\s]*[^\W\d_]")


def _upper(text: str, language: str) -> str:
    """Capitals; Turkish and Azerbaijani keep the dot of the i."""
    return (text.replace("i", "İ") if base(language) in _DOTTED else text).upper()


def _lower(text: str, language: str) -> str:
    if base(language) in _DOTTED:
        text = text.replace("I", "ı").replace("İ", "i")
    return text.lower()


def _cased(sentence: Sentence, text: str) -> str | None:
    return text if has_case(sentence.language) and text != sentence.text else None


def _first(sentence: Sentence, change: Callable[[str, str], str]) -> str | None:
    text = sentence.text
    found = _LETTER.search(text)
    if found is None:
        return None
    start, end = found.span()
    return _cased(sentence, text[:start] + change(found[0], sentence.language) + text[end:])


@dataclass(frozen=True)
class Upper(Rewriting):
    """All letters as capitals.

    >>> Upper().rewrite(Sentence.from_words(["Don't", "panic."], "en"), Rng(0, "1", "upper"))
    "DON'T PANIC."
    """

    name = "upper"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        return _cased(sentence, _upper(sentence.text, sentence.language))


@dataclass(frozen=True)
class Lower(Rewriting):
    """All letters small.

    >>> Lower().rewrite(Sentence.from_words(["Call", "NATO."], "en"), Rng(0, "1", "lower"))
    'call nato.'
    """

    name = "lower"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        return _cased(sentence, _lower(sentence.text, sentence.language))


@dataclass(frozen=True)
class Title(Rewriting):
    """The first letter of every word as a capital, the others as they are.

    >>> Title().rewrite(Sentence.from_words(["I", "don't", "(yet)."], "en"), Rng(0, "1", "title"))
    "I Don't (Yet)."
    """

    name = "title"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        text = _FIRST_LETTERS.sub(lambda m: _upper(m[0], sentence.language), sentence.text)
        return _cased(sentence, text)


@dataclass(frozen=True)
class FirstUpper(Rewriting):
    """The first letter of the text as a capital.

    >>> FirstUpper().rewrite(Sentence.from_words(["«well»"], "en"), Rng(0, "1", "firstUpper"))
    '«Well»'
    """

    name = "firstUpper"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        return _first(sentence, _upper)


@dataclass(frozen=True)
class FirstLower(Rewriting):
    """The first letter of the text small.

    >>> FirstLower().rewrite(Sentence.from_words(["Go", "on!"], "en"), Rng(0, "1", "firstLower"))
    'go on!'
    """

    name = "firstLower"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        return _first(sentence, _lower)
