"""What a command reads: its options, and the way from them to items and sentences."""

from __future__ import annotations

import argparse
import select
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import KW_ONLY, dataclass, field
from itertools import chain, islice, tee
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.options import language_and_parser
from hyperbaton.cli.options.parser import AddEntry
from hyperbaton.corpus.item import Item, Text
from hyperbaton.corpus.opening import FORMATS, open_corpus
from hyperbaton.corpus.tables import Columns
from hyperbaton.language.sentence import Need, Sentence

if TYPE_CHECKING:
    from hyperbaton.parsing.parser import Parser

T = TypeVar("T")
CHUNK = 256
Side = Literal["source", "reference"]
SIDES: tuple[Side, Side] = ("source", "reference")


def add_format_options(parser: argparse.ArgumentParser, *, reference: bool = False) -> None:
    """How to read files whose name or layout does not say it."""
    parser.add_argument(
        "--input",
        choices=FORMATS,
        help="format of the files (default: by their names or first bytes)",
    )
    parser.add_argument("--column", help="source column of a table: a name, or a number from 1")
    if reference:
        parser.add_argument("--reference-column", help="reference column of a table")


def read_items(
    args: argparse.Namespace, paths: Sequence[str], languages: Sequence[str | None] = ()
) -> Iterator[Item]:
    """The items of the files that a command was given, in any of the formats.

    Each may be compressed, and `-` is standard input, which is also what no file means.
    """
    return open_corpus(
        *(paths or ["-"]),
        format=args.input,
        languages=languages,
        columns=Columns(_column(args.column), _column(getattr(args, "reference_column", None))),
    )


def _column(given: str | None) -> str | int | None:
    if given is None or not (given.isascii() and given.isdecimal()):
        return given
    return int(given[:9])


def add_parser_option(parser: argparse.ArgumentParser) -> None:
    """`--parser`, for every command that parses."""
    parser.add_argument(
        "--parser",
        action=AddEntry,
        type=language_and_parser,
        default={},
        metavar="[LANG=]SPEC",
        help="parser of a language: de=spacy:de_core_news_lg, ja=ginza, … (repeat); "
        "without LANG= for every language",
    )


def add_cache_option(parser: argparse.ArgumentParser) -> None:
    """`--cache`, for every command that uses the store."""
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="folder of stored translations (default: $HYPERBATON_CACHE, or ~/.cache/hyperbaton)",
    )


def chunks(items: Iterable[T], waits: Callable[[], bool], size: int = CHUNK) -> Iterator[list[T]]:
    """Lists of items for one batch, cut short where the next item is not there yet."""
    stream = iter(items)
    while chunk := list(islice(stream, 1)):
        while len(chunk) < size and not waits():
            more = list(islice(stream, 1))
            if not more:
                break
            chunk += more
        yield chunk


def input_waits() -> bool:
    """Whether standard input has nothing to read just now: what is done should be shown."""
    try:
        return not select.select([sys.stdin], [], [], 0)[0]
    except (OSError, ValueError):  # not a thing that can be waited for
        return False


class Read(NamedTuple):
    """A sentence and the signature of its parser, empty where the file came with its trees."""

    sentence: Sentence
    parser: str


@dataclass
class Reader:
    """Sentences of items: the trees of a file stay, and text is parsed as far as needed.

    Word shuffles use the parser too where one is installed, so that their words are the same with
    and without other perturbations; where none is, the plain tokenizer cuts the words.
    """

    stack: ExitStack
    _: KW_ONLY
    need: Need = "parse"
    parsers: Mapping[str, str] = field(default_factory=dict)
    """By language; '' for every language."""
    cache: bool = True
    workers: int = 1
    note: Callable[[str], None] = lambda _: None
    _open: dict[str, Parser] = field(default_factory=dict, init=False)

    def sentences(
        self, items: Iterable[Item], language: str | None, side: Side = "source"
    ) -> Iterator[Read]:
        """The sentences of one side, as a stream in the order of the items."""
        stream = iter(items)
        first = next(stream, None)
        if first is None:
            return iter(())
        items = chain([first], stream)
        if isinstance(_text(first, side), Sentence):
            return _given(items, side)
        if language is None:
            raise HyperbatonError("which language is the text in? Add it: -l en")
        if self.need == "text" and self._named(language) is None:
            texts = ((_plain(item, side), item.id) for item in items)
            return (Read(Sentence.unparsed(text, language, name), "none") for text, name in texts)
        return _parsed(items, side, self.parser(language))

    def parser(self, language: str) -> Parser:
        """The parser of a language, opened when it is asked for first."""
        if language not in self._open:
            from hyperbaton.parsing.opening import open_parser

            parser = open_parser(
                language,
                self._named(language),
                need=self.need,
                cache=self.cache,
                workers=self.workers,
                note=self.note,
            )
            self._open[language] = self.stack.enter_context(parser)
        return self._open[language]

    def _named(self, language: str) -> str | None:
        return self.parsers.get(language, self.parsers.get(""))


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
