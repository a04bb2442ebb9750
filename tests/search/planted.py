"""Translators with a weak spot that is known: they say something else where they meet it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Sentence
from hyperbaton.search.candidates import Material
from hyperbaton.search.words import Words, cut
from hyperbaton.systems.system import Translation, Translator

TEXT = (
    "yesterday another farmer carried seven heavy baskets over the river because nobody helped "
    "him and his daughter waited behind green wooden doors until evening came with rain"
)
VOCABULARY = TEXT.split()
GOOD, BAD = "Das sagt immer genau dasselbe wie zuvor.", "Xylophon quatscht bunte Brücken kaputt."

Weakness = Callable[[str], bool]


class Spot(NamedTuple):
    """A weak spot by name, and whether a text meets it."""

    name: str
    meets: Weakness


class Planted(Translator):
    """Says the same of every text, but of those that meet all its weak spots.

    Where a text meets some of them, as many words of the answer are others.
    """

    signature = "planted"
    batch_free = True
    stored = False

    def __init__(self, *spots: Spot) -> None:
        self.spots = spots
        self.asked = 0

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        self.asked += len(texts)
        return [Translation(self.answer(text)) for text in texts]

    def answer(self, text: str) -> str:
        met = sum(spot.meets(text) for spot in self.spots)
        if met == len(self.spots):
            return BAD
        return " ".join([*["Oh"] * met, *GOOD.split()[met:]])

    def breaks(self, text: str) -> bool:
        return all(spot.meets(text) for spot in self.spots)


def material(number: int) -> Material:
    """A sentence of six to eleven words with a comma and a full stop."""
    rng = Rng(0, str(number), "planted")
    words = rng.shuffled(VOCABULARY)[: 6 + rng.below(6)]
    words[0] = words[0].capitalize()
    words[2] += ","
    tokens = re.findall(r"\w+|[,.]", " ".join(words) + ".")
    spaces = tuple(tokens[i + 1 : i + 2] not in ([","], ["."], []) for i in range(len(tokens)))
    return Material(Sentence(tuple(tokens), spaces, "en", id=str(number)))


def spots(words: Words, at: int) -> list[Spot]:
    """One weak spot of each kind, around the word at this place and the next."""
    one, two = words.words[at], words.words[at + 1]

    def list_of(text: str) -> list[str]:
        return [word.lower() for word in cut(text, "en").words]

    def swapped(text: str) -> bool:
        now = list_of(text)
        there = one.lower() in now and two.lower() in now
        return there and now.index(two.lower()) < now.index(one.lower())

    return [
        Spot("final mark", lambda text: not text.rstrip().endswith(".")),
        Spot("case", lambda text: one.upper() in text.split() or one.upper() + "," in text),
        Spot("space", lambda text: f"{one}{two}".lower() in text.lower()),
        Spot("mark", lambda text: "," not in text),
        Spot("letter", lambda text: one.lower() not in "".join(list_of(text))),
        Spot("word", lambda text: f"{one} {one}".lower() in text.lower()),
        Spot("order", swapped),
    ]
