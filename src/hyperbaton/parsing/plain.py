"""Words without a parser: text cut at spaces, marks set apart, nothing known of the words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import name, writes_spaces
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.catalogue import command_for_language
from hyperbaton.parsing.parser import Parser, ParserSpec, normalise, numbered, signature

VERSION = "1"
"""Raised when a text would be cut otherwise."""


def cut(chunk: str) -> list[str]:
    """The marks at both ends of a chunk and what stands between them, marks inside left alone.

    >>> cut('"Don\\'t!"'), cut("3.14..."), cut("?!")
    (['"', "Don't", '!', '"'], ['3.14', '...'], ['?', '!'])
    """
    first, last = 0, len(chunk)
    while first < last and unicodedata.category(chunk[first])[0] == "P":
        first += 1
    while last > first and unicodedata.category(chunk[last - 1])[0] == "P":
        last -= 1
    before = ["".join(run) for _, run in groupby(chunk[:first])]
    after = ["".join(run) for _, run in groupby(chunk[last:])]
    return [*before, *([chunk[first:last]] if first < last else []), *after]


@dataclass(frozen=True)
class Plain(ParserSpec):
    """Words cut at spaces and marks, where a language writes spaces; no tags and no tree."""

    name = "plain"

    def open(self, language: str) -> Parser:
        """Ready at once, where there are spaces to cut at."""
        if not writes_spaces(language):
            raise HyperbatonError(
                f"{name(language)} is written without spaces, so its words need a parser: "
                f"{command_for_language(language)}"
            )
        return PlainParser(language)


class PlainParser(Parser):
    """The plain tokenizer of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.signature = signature("plain", version=VERSION)

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        names = numbered(ids)
        for text in texts:
            words: list[str] = []
            spaces: list[bool] = []
            for chunk in normalise(text).split():
                pieces = cut(chunk)
                words += pieces
                spaces += [False] * (len(pieces) - 1) + [True]
            spaces[-1:] = [False] * bool(spaces)
            yield Sentence(tuple(words), tuple(spaces), self.language, id=next(names))
