"""Parsing in several processes: each opens the parser for itself; the order stays."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import Children
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.parser import PARSERS, Parser, ParserSpec, batched, normalise, numbered

__all__ = ["PooledParser"]

SHARE = 128
"""Texts that one process gets at a time."""


@cache
def _own(spec: str, language: str) -> Parser:
    """The parser of this process, opened once."""
    return PARSERS.parse(spec).open(language)


def _work(spec: str, language: str, texts: list[str]) -> list[Sentence]:
    return list(_own(spec, language).parse(texts))


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
