"""From items to sentences with what a command needs of them, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, tee
from typing import TYPE_CHECKING, Literal, NamedTuple

from hyperbaton.cli.inputs import parser_for
from hyperbaton.corpus import Item, Text
from hyperbaton.errors import HyperbatonError
from hyperbaton.perturb import Perturbation, Reordering
from hyperbaton.sentence import Sentence

if TYPE_CHECKING:
    from hyperbaton.parsing import Parser

__all__ = ["Need", "Read", "Reader", "Side", "needed"]

Need = Literal["text", "words", "parse"]
"""What of a sentence must be known: its text alone, its words, or parts of speech and tree."""
Side = Literal["source", "reference"]


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
        parsers: Sequence[str] = (),
        cache: bool = True,
        workers: int = 1,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        parser_for(parsers, "")  # what is miswritten is told before anything is read
        self._stack = stack
        self._need = need
        self._parsers = parsers
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
        named = parser_for(self._parsers, language)
        if self._need == "text" and named is None:
            return (Read(_unparsed(item, side, language), "none") for item in whole)
        return _parsed(whole, side, self.parser(language))

    def parser(self, language: str) -> Parser:
        """The parser of a language, opened when it is asked for first."""
        if language not in self._open:
            self._open[language] = self._stack.enter_context(self._opened(language))
        return self._open[language]

    def _opened(self, language: str) -> Parser:
        from hyperbaton.parsing import NoParser, open_parser

        named = parser_for(self._parsers, language)
        cache = self._cache and named != "plain"
        try:
            return open_parser(language, named, cache=cache, workers=self._workers)
        except NoParser as error:
            if self._need == "parse":
                raise
            from hyperbaton.parsing.plain import Plain

            plain = Plain().open(language)
            self._note(f"{error}; until then the plain tokenizer splits the words")
            return plain


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


def _unparsed(item: Item, side: Side, language: str) -> Sentence:
    """The text in chunks between spaces, which is all that characters and marks need."""
    words = tuple(_plain(item, side).split())
    spaces = (True,) * (len(words) - 1) + (False,) * bool(words)
    return Sentence(words, spaces, language, id=item.id)


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
