"""Minimal changes of meaning in German and English: number, negation, tense, name, word."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

__all__ = ["changed", "has", "names_in", "put"]

Change = tuple[str, str]
"""A word, and the one that takes its place."""
_BOTH = {
    "de": "nördlich/südlich östlich/westlich vor/nach mehr/weniger groß/klein alt/jung "
    "links/rechts mit/ohne über/unter gut/schlecht immer/nie Mann/Frau Vater/Bruder "
    "Mutter/Schwester früh/spät teuer/billig weil/obwohl warm/kalt schnell/langsam "
    "erste/letzte größte/kleinste heute/gestern",
    "en": "north/south east/west before/after more/less big/small old/young left/right "
    "with/without above/below good/bad always/never man/woman father/brother mother/sister "
    "early/late expensive/cheap because/although warm/cold quickly/slowly "
    "first/last largest/smallest today/yesterday",
}
_ONE_WAY = {
    "de": "alle/einige jeder/keiner muss/kann darf/muss",
    "en": "all/some every/no must/may can/must",
}
_TENSE = {
    "de": "ist/war sind/waren hat/hatte wird/wurde kann/konnte",
    "en": "is/was are/were has/had can/could will/would",
}
_DENIED = {
    "de": {verb: f"{verb} nicht" for verb in ("ist", "war", "wurde", "sind", "waren", "kann")},
    "en": {verb: f"{verb} not" for verb in ("is", "was", "are", "were", "can", "could", "will")},
}


def changed(text: str, language: str, names: Sequence[str], rng: random.Random) -> Iterator[Change]:
    """Words of a text with what would change its meaning in their place, one of each kind."""
    for kind in (_numbers, _negation, _opposites, _tense, _names):
        found = [(old, new) for old, new in kind(text, language, names, rng) if has(text, old)]
        if found:
            yield rng.choice(found)


def has(text: str, word: str) -> bool:
    """Whether the text holds the word whole."""
    return re.search(rf"\b{re.escape(word)}\b(?!['’])", text) is not None


def put(text: str, change: Change) -> str:
    """The text with the first such word replaced."""
    old, new = change
    return re.sub(rf"\b{re.escape(old)}\b(?!['’])", lambda _: new, text, count=1)


def names_in(text: str) -> list[str]:
    """Capitalised words within a sentence."""
    return re.findall(r"(?<=[a-zäöüß,] )[A-ZÄÖÜ][a-zäöüß]{2,}", text)


def _numbers(
    text: str, language: str, names: Sequence[str], rng: random.Random
) -> Iterator[Change]:
    for number in dict.fromkeys(re.findall(r"\d+", text)):
        at = rng.randrange(len(number))
        digit = rng.choice([d for d in "123456789" if d != number[at]])
        yield number, number[:at] + digit + number[at + 1 :]


def _negation(
    text: str, language: str, names: Sequence[str], rng: random.Random
) -> Iterator[Change]:
    word = "nicht" if language == "de" else "not"
    if not has(text, word):
        yield from _DENIED[language].items()


def _opposites(
    text: str, language: str, names: Sequence[str], rng: random.Random
) -> Iterator[Change]:
    for pair in _BOTH[language].split():
        one, two = pair.split("/")
        yield from ((one, two), (two, one))
    for pair in _ONE_WAY[language].split():
        one, two = pair.split("/")
        yield one, two


def _tense(text: str, language: str, names: Sequence[str], rng: random.Random) -> Iterator[Change]:
    for pair in _TENSE[language].split():
        one, two = pair.split("/")
        yield from ((one, two), (two, one))


def _names(text: str, language: str, names: Sequence[str], rng: random.Random) -> Iterator[Change]:
    for name in dict.fromkeys(names_in(text)):
        if name in names:
            yield name, rng.choice([other for other in names if other != name])
