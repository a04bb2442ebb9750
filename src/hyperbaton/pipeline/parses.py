"""Parsing as a step of a run: each process opens a parser once, and trees of the file stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from hyperbaton.corpus.item import Item, Text
from hyperbaton.parsing import Parser, open_parser
from hyperbaton.sentence import Sentence

__all__ = ["Parsers"]


@cache
def _own(language: str, spec: str | None, cached: bool) -> Parser:
    """The parser of this process."""
    return open_parser(language, spec, cache=cached)


@dataclass(frozen=True)
class Parsers:
    """Which parser reads which language; those not named are the best that are installed."""

    named: Mapping[str, str] = field(default_factory=dict)
    cached: bool = True

    def __call__(self, texts: Sequence[Text], ids: Sequence[str], language: str) -> list[Sentence]:
        """The sentences of texts, of which some may be parsed already."""
        plain = {i: text for i, text in enumerate(texts) if isinstance(text, str)}
        found = dict.fromkeys(range(len(texts)), Sentence((), ()))
        if plain:
            parser = _own(language, self.named.get(language), self.cached)
            sentences = parser.parse(plain.values(), (ids[i] for i in plain))
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
        return _own(language, self.named.get(language), self.cached).signature
