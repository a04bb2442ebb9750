"""The options that say what a command reads, and the one way from them to items."""

from __future__ import annotations

import argparse
import select
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from hyperbaton.base.options import language_and_parser
from hyperbaton.cli.options.parser import AddEntry
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.opening import FORMATS, open_corpus
from hyperbaton.corpus.tables import Columns

__all__ = [
    "add_format_options",
    "add_parser_option",
    "chunks",
    "input_waits",
    "read_items",
]

T = TypeVar("T")
CHUNK = 256


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
