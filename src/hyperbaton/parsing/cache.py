"""Parses kept on disk: a text is parsed once for each parser and version, whatever follows.

One SQLite file per parser signature. A row is found by a hash of the text and holds the columns
of the sentence as JSON without its words, which are cut from the text again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import cache_folder
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.parse_store import ParseStore
from hyperbaton.parsing.parser import Parser, batched, normalise, numbered

__all__ = ["CachedParser", "decode", "encode"]

_log = logging.getLogger(__name__)

BATCH = 512


def encode(sentence: Sentence) -> str:
    """All of a parsed sentence but its text, language and id."""
    row = [
        list(map(len, sentence.words)),
        None if sentence.upos is None else "\t".join(sentence.upos),
        sentence.heads,
        None if sentence.deps is None else "\t".join(sentence.deps),
        sentence.noun_chunks,
        sentence.starts,
        sentence.scheme,
    ]
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False)


def decode(text: str, row: str, language: str, item: str) -> Sentence:
    """The sentence that `encode` took apart, given its text."""
    lengths, upos, heads, deps, chunks, starts, scheme = json.loads(row)
    words, spaces = [], []
    at = 0
    for length in lengths:
        words.append(text[at : at + length])
        at += length
        gap = text.startswith(" ", at)
        spaces.append(gap)
        at += gap
    if at != len(text):
        raise ValueError("the words do not make up the text")
    return Sentence(
        words=tuple(words),
        spaces=tuple(spaces),
        language=language,
        upos=_column(upos),
        heads=None if heads is None else tuple(heads),
        deps=_column(deps),
        noun_chunks=None if chunks is None else tuple((a, b) for a, b in chunks),
        starts=tuple(starts),
        scheme=scheme,
        id=item,
    )


def _column(joined: str | None) -> tuple[str, ...] | None:
    if joined is None:
        return None
    return tuple(joined.split("\t")) if joined else ()


class CachedParser(Parser):
    """A parser that asks its store first; the model is loaded only for texts that are new.

    A store that cannot be used costs time and nothing else: the parses are the same without it.
    """

    def __init__(self, parser: Parser, folder: Path | None = None, batch: int = BATCH) -> None:
        self.language = parser.language
        self.signature = parser.signature
        self._parser = parser
        self._batch = batch
        self._store: ParseStore | None = None
        try:
            self._store = ParseStore(folder or cache_folder(), parser.signature)
        except HyperbatonError as error:
            self._go_without(error)

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        names = numbered(ids)
        for batch in batched(map(normalise, texts), self._batch):
            rows = self._stored(batch)
            new = list(dict.fromkeys(text for text in batch if text not in rows))
            if new:
                fresh = {
                    text: encode(s) for text, s in zip(new, self._parser.parse(new), strict=True)
                }
                self._keep(fresh)
                rows |= fresh
            for text in batch:
                yield self._decoded(text, rows[text], next(names))

    def _decoded(self, text: str, row: str, item: str) -> Sentence:
        """The sentence of a row; where the row is damaged, that of the parser."""
        try:
            return decode(text, row, self.language, item)
        except (ValueError, TypeError, AttributeError, RecursionError, HyperbatonError):
            if self._store is not None:
                self._go_without(self._store.damaged("a row that is not a parse"))
            return next(iter(self._parser.parse([text], [item])))

    def _stored(self, batch: Sequence[str]) -> dict[str, str]:
        if self._store is not None:
            try:
                return self._store.get(batch)
            except HyperbatonError as error:
                self._go_without(error)
        return {}

    def _keep(self, rows: Mapping[str, str]) -> None:
        if self._store is not None:
            try:
                self._store.put(rows.items())
            except HyperbatonError as error:
                self._go_without(error)

    def _go_without(self, error: HyperbatonError) -> None:
        """Say once what is wrong, and ask the store no more."""
        self._store = None
        _log.warning("hyperbaton: %s; parses are not stored", error)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._parser.close()
