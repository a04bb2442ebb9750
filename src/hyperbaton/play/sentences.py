"""The sentences of the page: typed ones, parsed as far as can be, and those that are shipped."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from hyperbaton.alignment.variant_outcomes import word_order
from hyperbaton.alignment.words import cut, spaced
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.starter import STARTER_LANGUAGES, starter
from hyperbaton.language.languages import base, writes_spaces
from hyperbaton.language.sentence import Sentence, is_permutation
from hyperbaton.parsing.catalogue import NoParser
from hyperbaton.parsing.opening import open_parser
from hyperbaton.parsing.parser import Parser
from hyperbaton.parsing.plain import Plain
from hyperbaton.perturb import PERTURBATIONS, Perturbation, Variant, perturb
from hyperbaton.perturb.errors.errors import SHARES
from hyperbaton.perturb.groups import SURFACE, WORDORDER
from hyperbaton.play.mistakes import Mistake

LONGEST = 5000
"""Characters of a sentence, a variant or a reference."""
_KEPT = 512
_NAME = "1"
"""The id of a typed sentence, as in `hyperbaton show`: draws depend on it."""


@dataclass(frozen=True)
class NotedSentence:
    """A sentence, and why it has no tree where it has none."""

    sentence: Sentence
    note: str = ""


def checked_text(text: object, what: str) -> str:
    """A text that came from the page, in one line, or what is wrong with it."""
    if not isinstance(text, str):
        raise HyperbatonError(f"the {what} is not a text")
    if len(text) > LONGEST:
        raise Mistake(f"wrong_long_{what}", size=len(text), most=LONGEST)
    return " ".join(text.split())


def surprise(source: str, target: str, number: int, most_words: int | None = None) -> Item:
    """A shipped sentence with its translation; the numbers go through all before one comes again.

    `most_words`, marks among them, leaves out longer ones.

    >>> surprise("en", "de", 7) == surprise("en", "de", 207)
    True
    """
    for language in (source, target):
        if base(language) not in STARTER_LANGUAGES:
            known = ", ".join(STARTER_LANGUAGES)
            raise Mistake("wrong_not_shipped", language=language, known=known)
    items = [
        item
        for item in starter(source, target)
        if most_words is None
        or (isinstance(item.source, Sentence) and len(item.source) <= most_words)
    ]
    return items[Rng(0, "", "surprise").permutation(len(items))[number % len(items)]]


class Sentences:
    """Parses what is typed, each text once; safe to use from several threads."""

    def __init__(self) -> None:
        self._parsers: dict[str, Parser | None] = {}
        self._notes: dict[str, str] = {}
        self._found: OrderedDict[tuple[str, str], NotedSentence] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, language: str, text: str) -> NotedSentence:
        """The words of a text, with its tree where it is shipped or a parser is installed."""
        shipped = _shipped(base(language)).get(text)
        if shipped is not None:
            return NotedSentence(shipped)
        key = (language, text)
        with self._lock:
            if key not in self._found:
                self._found[key] = self._parsed(language, text)
                if len(self._found) > _KEPT:
                    self._found.popitem(last=False)
            self._found.move_to_end(key)
            return self._found[key]

    def _parsed(self, language: str, text: str) -> NotedSentence:
        if not text:
            return NotedSentence(Sentence((), (), language, id=_NAME))
        parser = self._parser(language)
        if parser is None:
            words = replace(spaced(text, cut(text, language), language), id=_NAME)
        else:
            words = next(iter(parser.parse([text], [_NAME])))
        return NotedSentence(words, self._notes.get(language, ""))

    def _parser(self, language: str) -> Parser | None:
        """The best parser, else a tokenizer; None where words are known by dictionary only."""
        if language not in self._parsers:
            try:
                # The cache of parses belongs to one thread; what is found is kept here anyway.
                self._parsers[language] = open_parser(language, cache=False)
            except NoParser as error:
                self._notes[language] = str(error)
                plain = Plain().open(language) if writes_spaces(language) else None
                self._parsers[language] = plain
        return self._parsers[language]

    def close(self) -> None:
        """Give the parsers back."""
        with self._lock:
            for parser in filter(None, self._parsers.values()):
                parser.close()
            self._parsers.clear()


@cache
def _shipped(language: str) -> Mapping[str, Sentence]:
    """The shipped sentences of a language by their texts."""
    if language not in STARTER_LANGUAGES:
        return MappingProxyType({})
    items = starter(language, None)
    return MappingProxyType(
        {item.source.text: item.source for item in items if isinstance(item.source, Sentence)}
    )


OFFERED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "words": (*WORDORDER, "NeighbourFlip(p=0.5, unit=word)"),
        "characters": ("NeighbourFlip(p=0.3)", "PhraseShuffle(p=0.3)", "FullShuffle"),
        "errors": ("errors", *(f"errors(kinds={kind})" for kind in SHARES)),
        "surface": SURFACE,
    }
)
"""The perturbations of each group of buttons, as they print."""
_REDRAWS = 20
"""Further draws while a random perturbation leaves the sentence as it is."""
_MOST_DRAWS = 1_000_000


def _known(name: object) -> Perturbation:
    if not isinstance(name, str) or not any(name in names for names in OFFERED.values()):
        raise Mistake("wrong_perturbation", name=f"{name!s:.80}")
    return PERTURBATIONS.parse(name)


def drawn_anew() -> list[str]:
    """The perturbations whose next draw may differ."""
    names = (name for group in OFFERED.values() for name in group)
    return [name for name in names if PERTURBATIONS.parse(name).random]


def vary(sentence: Sentence, name: object, draw: object = 0) -> Variant | None:
    """What a perturbation makes of a sentence; None where it does not apply."""
    if not isinstance(draw, int) or not 0 <= draw < _MOST_DRAWS:
        raise HyperbatonError(f"a draw is a whole number below {_MOST_DRAWS:,}")
    return perturb(sentence, _known(name), draw=draw, redraws=_REDRAWS)


def moved(sentence: Sentence, order: object) -> Variant:
    """The sentence with its words in an order of the reader's own.

    >>> moved(Sentence.from_words("go home Tom".split()), [2, 0, 1]).text
    'Tom go home'
    """
    if not isinstance(order, Sequence) or not all(type(place) is int for place in order):
        raise HyperbatonError("an order is a list of whole numbers")
    if not is_permutation(order, len(sentence)):
        raise Mistake("wrong_order", size=len(sentence))
    text = sentence.arrange(order)
    return Variant(text, tuple(order), "word", text != sentence.text)


def by_hand(sentence: Sentence, text: str) -> Variant:
    """The sentence in other words, as the reader typed them."""
    return Variant(text, None, None, text != sentence.text)


def offered(sentence: Sentence) -> dict[str, dict[str, object]]:
    """The first draw of every perturbation of the page that changes the sentence."""
    names = (name for group in OFFERED.values() for name in group)
    found = ((name, vary(sentence, name)) for name in names)
    return {name: as_json(one) for name, one in found if one is not None and one.changed}


def as_json(variant: Variant) -> dict[str, object]:
    """A variant as the page reads it: its text, and the order of words where only that changed."""
    return {"text": variant.text, "order": word_order(variant)}
