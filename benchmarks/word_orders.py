"""The order that the words of a sentence were put in, found from both texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from hyperbaton.alignment.words import cut, spaced
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.parsing.catalogue import NoParser
from hyperbaton.parsing.opening import open_parser
from hyperbaton.parsing.plain import cut as plain_cut

__all__ = ["Words", "found_order"]

_STEPS = 20_000
"""Words tried in one sentence before it is given up."""


class Words:
    """The ways to cut a text of one language into words: by its parser, if there is one, first."""

    def __init__(self, language: str) -> None:
        self.language = language
        try:
            parser = open_parser(language, cache=False)
        except NoParser:
            parser = None
        parsed = (lambda text: list(next(iter(parser.parse([text]))).words)) if parser else None
        ways: tuple[Callable[[str], list[str]] | None, ...] = (
            parsed,
            lambda text: cut(text, language),
            lambda text: [piece for chunk in text.split() for piece in plain_cut(chunk)],
            str.split,
        )
        self.ways = tuple(lru_cache(1)(way) for way in ways if way is not None)


def found_order(source: str, varied: str, words: Words) -> tuple[Sentence, Order | None]:
    """The source cut so that the varied text is a new order of its words, and that order.

    None for the order where no way of cutting has one.
    """
    found = [spaced(source, way(source), words.language) for way in words.ways]
    for sentence in found:
        order = _matched(sentence.words, "".join(varied.split()))
        if order is not None:
            return sentence, order
    return found[0], None


def _matched(words: tuple[str, ...], varied: str) -> Order | None:
    """The places of words whose texts in a row are the varied text, spaces apart."""
    if sorted("".join(words)) != sorted(varied):
        return None
    steps = 0
    # Each entry: the order so far, and where it ends in the varied text.
    open_ends: list[tuple[Order, int]] = [((), 0)]
    while open_ends and steps < _STEPS:
        order, at = open_ends.pop()
        if len(order) == len(words):
            return order
        steps += 1
        follows = order[-1] + 1 if order else 0
        tried: set[str] = set()
        fitting = []
        # Of equal words, the one that stood behind the last word, or else the first.
        for place in sorted(range(len(words)), key=lambda place: (place != follows, place)):
            word = words[place]
            if place in order or word in tried or not varied.startswith(word, at):
                continue
            tried.add(word)
            fitting.append(place)
        fitting.sort(key=lambda place: (len(words[place]), place == follows))
        open_ends += [((*order, place), at + len(words[place])) for place in fitting]
    return None
