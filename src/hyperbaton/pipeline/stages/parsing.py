"""Parsing as a step of a run: each process opens a parser once, and trees of the file stay."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from hyperbaton.corpus.item import Item, Text
from hyperbaton.language.sentence import Need, Sentence

if TYPE_CHECKING:
    from hyperbaton.parsing.parser import Parser

__all__ = ["Parsers"]


_log = logging.getLogger(__name__)
_UNPARSED = "none"
"""The parser of texts that nobody needs the words of, as `hyperbaton perturb` calls it."""


@cache
def _own(language: str, spec: str | None, cached: bool, need: Need) -> Parser:
    """The parser of this process."""
    from hyperbaton.parsing.opening import open_parser

    return open_parser(language, spec, cache=cached, need=need)


def _tell(sentence: str) -> None:
    _log.warning("hyperbaton: %s", sentence)


@dataclass(frozen=True)
class Parsers:
    """Which parser reads which language; those not named are the best that are installed."""

    named: Mapping[str, str] = field(default_factory=dict)
    """By language; '' for every language."""
    cached: bool = True
    need: Need = "parse"
    """What must be known of a text: words can be cut without a parser."""

    def __call__(self, texts: Sequence[Text], ids: Sequence[str], language: str) -> list[Sentence]:
        """The sentences of texts, of which some may be parsed already."""
        plain = {i: text for i, text in enumerate(texts) if isinstance(text, str)}
        found = dict.fromkeys(range(len(texts)), Sentence((), ()))
        if plain and self._as_it_is(language):
            found.update(
                (i, Sentence.unparsed(text, language, ids[i])) for i, text in plain.items()
            )
        elif plain:
            sentences = self._parser(language).parse(plain.values(), (ids[i] for i in plain))
            found.update(zip(plain, sentences, strict=True))
        for i, text in enumerate(texts):
            if isinstance(text, Sentence):
                found[i] = text if text.id == ids[i] else replace(text, id=ids[i])
        return list(found.values())

    def signature(self, side: Text | None, item: Item, language: str) -> str:
        """Where the trees of one side come from, told by its first item."""
        if isinstance(side, Sentence):
            given = f"{language} trees of the file|labels:{side.scheme}"
            return item.columns.get("parser", given)
        return _UNPARSED if self._as_it_is(language) else self._parser(language).signature

    def check(self, language: str) -> None:
        """Say that words are cut without a parser, where one would have been used."""
        if self.need == "words" and self._named(language) is None:
            from hyperbaton.parsing.opening import open_parser

            open_parser(language, cache=False, need=self.need, note=_tell)

    def _as_it_is(self, language: str) -> bool:
        return self.need == "text" and self._named(language) is None

    def _parser(self, language: str) -> Parser:
        return _own(language, self._named(language), self.cached, self.need)

    def _named(self, language: str) -> str | None:
        return self.named.get(language, self.named.get(""))
