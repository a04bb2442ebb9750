"""From items to sentences with what a command needs of them, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import chain, tee
from typing import TYPE_CHECKING, Literal, NamedTuple

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item, Text
from hyperbaton.language.sentence import Need, Sentence

if TYPE_CHECKING:
    from hyperbaton.parsing.parser import Parser

__all__ = ["Read", "Reader", "Side"]

Side = Literal["source", "reference"]


class Read(NamedTuple):
    """A sentence and the signature of its parser, empty where the file came with its trees."""

    sentence: Sentence
    parser: str


class Reader:
    """Sentences of items: the trees of a file stay, and text is parsed as far as needed.

    Word shuffles use the parser too where one is installed, so that their words are the same with
    and without other perturbations; where none is, the plain tokenizer cuts the words.
    """

    def __init__(
        self,
        stack: ExitStack,
        *,
        need: Need = "parse",
        parsers: Mapping[str, str] | None = None,
        cache: bool = True,
        workers: int = 1,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._stack = stack
        self._need = need
        self._parsers = parsers or {}
        self._cache = cache
        self._workers = workers
        self._note = note
        self._open: dict[str, Parser] = {}

    def sentences(
        self, items: Iterable[Item], language: str | None, side: Side = "source"
    ) -> Iterator[Read]:
        """The sentences of one side, as a stream in the order of the items."""
        stream = iter(items)
        first = next(stream, None)
        if first is None:
            return iter(())
        whole = chain([first], stream)
        if isinstance(_text(first, side), Sentence):
            return _given(whole, side)
        if language is None:
            raise HyperbatonError("which language is the text in? Add it: -l en")
        if self._need == "text" and self._named(language) is None:
            texts = ((_plain(item, side), item.id) for item in whole)
            return (Read(Sentence.unparsed(text, language, name), "none") for text, name in texts)
        return _parsed(whole, side, self.parser(language))

    def parser(self, language: str) -> Parser:
        """The parser of a language, opened when it is asked for first."""
        if language not in self._open:
            self._open[language] = self._stack.enter_context(self._opened(language))
        return self._open[language]

    def _opened(self, language: str) -> Parser:
        from hyperbaton.parsing.opening import open_parser

        return open_parser(
            language,
            self._named(language),
            need=self._need,
            cache=self._cache,
            workers=self._workers,
            note=self._note,
        )

    def _named(self, language: str) -> str | None:
        return self._parsers.get(language, self._parsers.get(""))


def _text(item: Item, side: Side) -> Text:
    if side == "source":
        return item.source
    if item.reference is None:
        raise HyperbatonError(
            f"item '{item.id}' has no reference; name its column: --reference-column NAME"
        )
    return item.reference


def _given(items: Iterable[Item], side: Side) -> Iterator[Read]:
    for item in items:
        sentence = _text(item, side)
        if isinstance(sentence, Sentence):
            yield Read(sentence, item.columns.get("parser", ""))


def _plain(item: Item, side: Side) -> str:
    text = _text(item, side)
    return text if isinstance(text, str) else text.text


def _parsed(items: Iterable[Item], side: Side, parser: Parser) -> Iterator[Read]:
    """Sentences in the order of the items; blank lines never reach the parser."""
    own, texts, names = tee(items, 3)
    parses = parser.parse(
        (text for item in texts if (text := _plain(item, side)).strip()),
        (item.id for item in names if _plain(item, side).strip()),
    )
    for item in own:
        blank = not _plain(item, side).strip()
        empty = Sentence((), (), parser.language, id=item.id)
        yield Read(empty if blank else next(parses), parser.signature)
