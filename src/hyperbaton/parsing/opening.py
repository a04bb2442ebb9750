"""The one door to a parser: chosen or named, cached, in one process or several."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache
from pathlib import Path

from hyperbaton.base.batches import batched
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import cache_folder
from hyperbaton.base.processes import Children
from hyperbaton.language.languages import writes_spaces
from hyperbaton.language.sentence import Need, Sentence
from hyperbaton.parsing.catalogue import NoParser, best_parser
from hyperbaton.parsing.parse_store import ParseStore
from hyperbaton.parsing.parser import PARSERS, Parser, ParserSpec, normalise, numbered
from hyperbaton.parsing.plain import Plain

_log = logging.getLogger(__name__)

BATCH = 512
SHARE = 128
"""Texts that one process gets at a time."""


def open_parser(
    language: str,
    spec: ParserSpec | str | None = None,
    *,
    need: Need = "parse",
    cache: bool = True,
    workers: int = 1,
    note: Callable[[str], None] = lambda _: None,
) -> Parser:
    """A parser of a language, the best that is installed unless one is named.

    Where none is, and words will do (`need`), the plain tokenizer, of which a `note` is made.
    `cache` keeps every parse on disk under (text, signature); `workers` processes share the rest.
    """
    chosen = PARSERS.parse(spec) if isinstance(spec, str) else spec or _best(language, need, note)
    parser = PooledParser(chosen, language, workers) if workers > 1 else chosen.open(language)
    if not cache or isinstance(chosen, Plain):  # it cuts a text as quickly as a parse is looked up
        return parser
    return CachedParser(parser, batch=max(BATCH, 4 * SHARE * workers))


def _best(language: str, need: Need, note: Callable[[str], None]) -> ParserSpec:
    """The best parser that is installed, or the plain tokenizer where that knows enough."""
    try:
        return best_parser(language)
    except NoParser as error:
        if not writes_spaces(language):
            if need == "parse":
                raise
            return Plain()  # says what it cannot do
        if need == "parse":
            raise NoParser(
                f"{error}; or take --parser {language}=plain, which knows words alone: enough for "
                "wordShuffle or reversed, not for parts of speech and trees"
            ) from None
        note(f"{error}; until then the plain tokenizer splits the words")
        return Plain()


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
                yield decode(text, rows[text], self.language, next(names))

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


class PooledParser(Parser):
    """A parser whose texts are shared out among processes."""

    def __init__(self, spec: ParserSpec, language: str, workers: int) -> None:
        self.language = language
        self.signature = spec.open(language).signature
        self._spec = str(spec)
        self._workers = workers
        self._children: Children | None = None

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        names = numbered(ids)
        waiting: deque[Future[list[Sentence]]] = deque()
        for batch in batched(map(normalise, texts), SHARE):
            waiting.append(self._open().submit(_work, self._spec, self.language, batch))
            # Few batches under way keep memory flat however long the corpus.
            if len(waiting) > 2 * self._workers:
                yield from self._named(waiting.popleft(), names)
        while waiting:
            yield from self._named(waiting.popleft(), names)

    def _open(self) -> Children:
        if self._children is None:
            self._children = Children(self._workers)
        return self._children

    @staticmethod
    def _named(done: Future[list[Sentence]], names: Iterator[str]) -> Iterator[Sentence]:
        try:
            sentences = done.result()
        except BrokenProcessPool:
            raise HyperbatonError(
                "the system killed a parsing process, often because memory ran out: "
                "use fewer --workers"
            ) from None
        for sentence in sentences:
            yield replace(sentence, id=next(names))

    def close(self) -> None:
        if self._children is not None:
            self._children.close()
            self._children = None


@cache
def _own(spec: str, language: str) -> Parser:
    """The parser of this process, opened once."""
    return PARSERS.parse(spec).open(language)


def _work(spec: str, language: str, texts: list[str]) -> list[Sentence]:
    return list(_own(spec, language).parse(texts))
