"""What a parser is: a value that opens into something that turns texts into sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import count
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Registry, Spec
from hyperbaton.language.sentence import Sentence


def normalise(text: str) -> str:
    """The text with single spaces, as every parser reads it and every sentence gives it back.

    >>> normalise("  Bonjour\\u00a0!  Ça va ?\\n")
    'Bonjour ! Ça va ?'
    """
    return " ".join(text.split())


def signature(head: str, **parts: str) -> str:
    """A name and what else decides the result, in the field's notation.

    >>> signature("natasha", version="1.6.0", labels="ud")
    'natasha|version:1.6.0|labels:ud'
    """
    return "|".join([head, *(f"{key}:{value}" for key, value in parts.items() if value)])


def numbered(ids: Iterable[str] | None) -> Iterator[str]:
    """The ids that were given, or 0, 1, 2 … where none were."""
    if ids is None:
        yield from map(str, count())
    else:
        yield from ids
        raise HyperbatonError("there are fewer ids than texts")


class Parser(ABC):
    """An open parser of one language; the model itself is loaded when the first text comes."""

    language: str
    signature: str
    """Model, versions and label scheme: all that decides what comes out for a text."""

    @abstractmethod
    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        """The sentences of the texts, in order and as a stream; `sentence.text` is the text."""

    def close(self) -> None:  # noqa: B027 - most parsers hold nothing to give back
        """Give the resources back."""

    def __enter__(self) -> Parser:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class ParserSpec(Spec, ABC):
    """A parser as the user names it."""

    languages: ClassVar[tuple[str, ...]] = ()
    """The languages for which a parser of another package may be chosen by default."""

    @abstractmethod
    def open(self, language: str) -> Parser:
        """Make ready for one language, or say in one sentence why that cannot be."""


PARSERS: Registry[ParserSpec] = Registry(
    "parser",
    {
        "spacy": "hyperbaton.parsing.spacy_parser:SpacyPipeline",
        "ginza": "hyperbaton.parsing.spacy_parser:Ginza",
        "natasha": "hyperbaton.parsing.natasha_parser:Natasha",
        "stanza": "hyperbaton.parsing.stanza_parser:Stanza",
        "udpipe": "hyperbaton.parsing.udpipe_parser:UDPipe",
        "plain": "hyperbaton.parsing.plain:Plain",
    },
)
