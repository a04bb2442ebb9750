"""A text of a test with its small changes, each of which must be possible."""

from __future__ import annotations

from collections.abc import Sequence

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import writes_spaces
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.plain import PlainParser
from hyperbaton.search.candidates import KINDS, Material, candidates, known_words
from hyperbaton.search.changes import Change, kind_text
from hyperbaton.search.searching import kind_named


def kinds_named(under: Sequence[str]) -> tuple[str, ...]:
    """The kinds of changes of these names, or all."""
    return tuple(dict.fromkeys(map(kind_named, under))) or tuple(KINDS)


def material_of(text: str, language: str, number: int = 1, seed: int = 0) -> Material:
    """A text cut into words without a parser, which tests need not wait for."""
    sentence = Sentence.unparsed(text, language, str(number))
    if writes_spaces(language):
        cut = next(PlainParser(language).parse([text], [str(number)]))
        sentence = cut if cut.text == text else sentence
    return Material(sentence, known_words(language), seed)


def changes_of(material: Material, kinds: Sequence[str]) -> list[Change]:
    """Its changes; a text that has none tests nothing."""
    found = [one for some in candidates(material, kinds).values() for one in some]
    if not found:
        names = ", ".join(map(kind_text, kinds))
        raise HyperbatonError(f"'{material.words.text}' has nothing to change: {names}")
    return found
