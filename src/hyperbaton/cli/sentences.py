"""From items to sentences with what the perturbations need of them, and no more."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal

from hyperbaton.corpus import Item
from hyperbaton.errors import HyperbatonError
from hyperbaton.perturb import Perturbation, Reordering
from hyperbaton.sentence import Sentence

if TYPE_CHECKING:
    from hyperbaton.parsing import Parser

__all__ = ["Need", "Source", "chunks", "input_waits", "needed", "parsed_source", "text_source"]

Need = Literal["text", "words", "parse"]
"""What of a sentence must be known: its text alone, its words, or parts of speech and tree."""

CHUNK = 256


def needed(perturbations: Iterable[Perturbation]) -> Need:
    """The most that any of these perturbations needs."""
    need: Need = "text"
    for perturbation in perturbations:
        if perturbation.category in ("PoS", "tree"):
            return "parse"
        words = isinstance(perturbation, Reordering) and perturbation.unit == "word"
        if words and perturbation.category != "control":
            need = "words"
    return need


@dataclass(frozen=True)
class Source:
    """What turns items into sentences, and its name for the record."""

    signature: str
    prepare: Callable[[Sequence[Item]], Iterator[Sentence]]


def parsed_source() -> Source:
    """For items that come with their parse."""

    def prepare(items: Sequence[Item]) -> Iterator[Sentence]:
        return (item.source for item in items if isinstance(item.source, Sentence))

    return Source("given", prepare)


def text_source(
    stack: ExitStack,
    language: str,
    need: Need,
    parser: str | None = None,
    cache: bool = True,
    note: Callable[[str], None] = lambda _: None,
) -> Source:
    """For plain text: no parser where the text will do, else the named or the best one.

    Word shuffles use the parser too where one is installed, so that their words are the same with
    and without other perturbations; where none is, the plain tokenizer cuts the words.
    """
    if need == "text" and parser is None:
        return Source("none", lambda items: (_unparsed(item, language) for item in items))
    opened = stack.enter_context(_open(language, need, parser, cache, note))
    return Source(opened.signature, lambda items: _parsed(items, opened))


def _open(
    language: str, need: Need, parser: str | None, cache: bool, note: Callable[[str], None]
) -> Parser:
    from hyperbaton.parsing import open_parser

    if parser is not None:
        return open_parser(language, parser, cache=cache and parser != "plain")
    try:
        return open_parser(language, cache=cache)
    except HyperbatonError as error:
        if need == "parse":
            raise
        from hyperbaton.parsing.plain import Plain

        plain = Plain().open(language)
        note(f"{error}; meanwhile the plain tokenizer cuts the words")
        return plain


def _unparsed(item: Item, language: str) -> Sentence:
    """The text in chunks between spaces, which is all that characters and marks need."""
    words = tuple(item.source_text.split())
    spaces = (True,) * (len(words) - 1) + (False,) * bool(words)
    return Sentence(words, spaces, language, id=item.id)


def _parsed(items: Sequence[Item], parser: Parser) -> Iterator[Sentence]:
    """Sentences in the order of the items; blank lines never reach the parser."""
    texts = {i: item.source_text for i, item in enumerate(items) if item.source_text.strip()}
    parses = parser.parse(texts.values(), ids=[items[i].id for i in texts])
    for i, item in enumerate(items):
        yield next(parses) if i in texts else Sentence((), (), parser.language, id=item.id)


def chunks(
    items: Iterable[Item], waits: Callable[[], bool], size: int = CHUNK
) -> Iterator[list[Item]]:
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
