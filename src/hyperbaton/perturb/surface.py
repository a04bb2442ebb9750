"""The surface family: case, final marks, apostrophes, quotation marks, white space.

Case variants do not apply to languages whose script has none; a foreign name in a Japanese sentence
does not make it one with case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.language.languages import base, has_case
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.perturbation import Rewriting

_DOTTED = frozenset({"tr", "az"})
_LETTER = re.compile(r"[^\W\d_]")
_FIRST_LETTERS = re.compile(r"(?:(?<=^)|(?<=\s))[^\w\s]*[^\W\d_]")


def _upper(text: str, language: str) -> str:
    """Capitals; Turkish and Azerbaijani keep the dot of the i."""
    return (text.replace("i", "İ") if base(language) in _DOTTED else text).upper()


def _lower(text: str, language: str) -> str:
    if base(language) in _DOTTED:
        text = text.replace("I", "ı").replace("İ", "i")
    return text.lower()


def _cased(sentence: Sentence, text: str) -> str | None:
    return text if has_case(sentence.language) and text != sentence.text else None


def _first(sentence: Sentence, change: Callable[[str, str], str]) -> str | None:
    text = sentence.text
    letter = _LETTER.search(text)
    if letter is None:
        return None
    start, end = letter.span()
    return _cased(sentence, text[:start] + change(letter[0], sentence.language) + text[end:])


@dataclass(frozen=True)
class Upper(Rewriting):
    """All letters as capitals.

    >>> Upper().rewrite(Sentence.from_words(["Don't", "panic."], "en"), Rng(0, "1", "upper"))
    "DON'T PANIC."
    """

    name = "upper"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        return _cased(sentence, _upper(sentence.text, sentence.language))


@dataclass(frozen=True)
class Lower(Rewriting):
    """All letters small.

    >>> Lower().rewrite(Sentence.from_words(["Call", "NATO."], "en"), Rng(0, "1", "lower"))
    'call nato.'
    """

    name = "lower"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        return _cased(sentence, _lower(sentence.text, sentence.language))


@dataclass(frozen=True)
class Title(Rewriting):
    """The first letter of every word as a capital, the others as they are.

    >>> Title().rewrite(Sentence.from_words(["I", "don't", "(yet)."], "en"), Rng(0, "1", "title"))
    "I Don't (Yet)."
    """

    name = "title"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        text = _FIRST_LETTERS.sub(lambda m: _upper(m[0], sentence.language), sentence.text)
        return _cased(sentence, text)


@dataclass(frozen=True)
class FirstUpper(Rewriting):
    """The first letter of the text as a capital.

    >>> FirstUpper().rewrite(Sentence.from_words(["«well»"], "en"), Rng(0, "1", "firstUpper"))
    '«Well»'
    """

    name = "firstUpper"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        return _first(sentence, _upper)


@dataclass(frozen=True)
class FirstLower(Rewriting):
    """The first letter of the text small.

    >>> FirstLower().rewrite(Sentence.from_words(["Go", "on!"], "en"), Rng(0, "1", "firstLower"))
    'go on!'
    """

    name = "firstLower"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        return _first(sentence, _lower)


_FINAL = ".!?…‥。！？．｡؟۔।॥։።‽"
_CLOSING = "\"'”’»›“‘」』)）]"
_FULL_STOP = {"zh": "。", "ja": "。", "yue": "。", "wuu": "。", "hi": "।", "bn": "।"} | {
    "ne": "।",
    "ur": "۔",
    "hy": "։",
    "am": "።",
}
_WITHOUT_STOP = frozenset({"th", "lo"})


@dataclass(frozen=True)
class AddFinalMark(Rewriting):
    """A full stop, as the language writes it, after a text that ends without a final mark.

    >>> AddFinalMark().rewrite(Sentence.from_words(["你好"], "zh"), Rng(0, "1", "addFinalMark"))
    '你好。'
    """

    name = "addFinalMark"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        text, language = sentence.text, base(sentence.language)
        ended = text.rstrip(_CLOSING)[-1:]
        if not text or (ended and ended in _FINAL) or language in _WITHOUT_STOP:
            return None
        return text + _FULL_STOP.get(language, ".")


@dataclass(frozen=True)
class DropFinalMark(Rewriting):
    """A text without the mark that ends it.

    >>> DropFinalMark().rewrite(Sentence.from_words(["Why?!"], "en"), Rng(0, "1", "dropFinalMark"))
    'Why'
    """

    name = "dropFinalMark"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        text = sentence.text.rstrip(_FINAL)
        return text.rstrip() or None if text != sentence.text else None


_APOSTROPHES = {"curly": "’", "straight": "'", "modifier": "ʼ", "grave": "`", "missing": ""}
_IN_WORD = re.compile(r"(?<=[^\W\d_])['’ʼ`´＇‘](?=[^\W\d_])")


@dataclass(frozen=True)
class Apostrophe(Rewriting):
    """The apostrophes inside words in another style, or missing.

    >>> text = Sentence.from_words(["I", "don't."], "en")
    >>> Apostrophe().rewrite(text, Rng(0, "1", "apostrophe"))
    'I don’t.'
    >>> Apostrophe(style="missing").rewrite(text, Rng(0, "1", "apostrophe(style=missing)"))
    'I dont.'
    """

    name = "apostrophe"
    style: Literal["curly", "straight", "modifier", "grave", "missing"] = "curly"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        text = _IN_WORD.sub(_APOSTROPHES[self.style], sentence.text)
        return None if text == sentence.text else text


_QUOTES = {
    "curly": ("“", "”"),
    "straight": ('"', '"'),
    "low": ("„", "“"),
    "guillemets": ("«", "»"),
    "corner": ("「", "」"),
    "single": ("‘", "’"),
}
_QUOTE = re.compile(r"(«[\u00a0\u202f ]?|[\u00a0\u202f ]?»|[\"“”„‟「」『』＂])")


@dataclass(frozen=True)
class Quotes(Rewriting):
    """The double quotation marks in another style; marks without a partner are left alone.

    >>> text = Sentence.from_words(['"Come!",', "he", "said."], "en")
    >>> Quotes(style="low").rewrite(text, Rng(0, "1", "quotes(style=low)"))
    '„Come!“, he said.'
    """

    name = "quotes"
    style: Literal["curly", "straight", "low", "guillemets", "corner", "single"] = "curly"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        pieces = _QUOTE.split(sentence.text)
        if len(pieces) % 4 != 1:  # an odd number of marks: which of them is alone?
            return None
        opening, closing = _QUOTES[self.style]
        if self.style == "guillemets" and base(sentence.language) == "fr":
            opening, closing = opening + "\u00a0", "\u00a0" + closing
        pieces[1::4] = [opening] * len(pieces[1::4])
        pieces[3::4] = [closing] * len(pieces[3::4])
        text = "".join(pieces)
        return None if text == sentence.text else text


_GAPS = {
    "double": "  ",
    "nobreak": "\u00a0",
    "thin": "\u2009",
    "tab": "\t",
    "missing": "",
}


@dataclass(frozen=True)
class Whitespace(Rewriting):
    """Spaces changed, each with probability p and one at least, or added at both ends.

    >>> text = Sentence.from_words(["Look", "at", "me!"], "en")
    >>> Whitespace().rewrite(text, Rng(0, "1", "whitespace"))
    'Look  at  me!'
    >>> Whitespace(kind="missing", p=0.1).rewrite(text, Rng(0, "1", "1"))
    'Look atme!'
    """

    name = "whitespace"
    kind: Literal["double", "nobreak", "thin", "tab", "missing", "ends"] = "double"
    p: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.p <= 1:
            raise HyperbatonError(f"whitespace: p must be above 0 and at most 1, not {self.p}")

    @property
    def random(self) -> bool:
        """Whether two draws may differ."""
        return self.p < 1 and self.kind != "ends"

    def rewrite(self, sentence: Sentence, rng: Rng) -> str | None:
        text = sentence.text
        if self.kind == "ends":
            return f" {text} " if text else None
        words = re.split(" ", text)
        gaps = len(words) - 1
        if not gaps:
            return None
        coins = rng.coins(self.p, gaps)
        if not any(coins):
            coins[rng.below(gaps)] = True
        changed = _GAPS[self.kind]
        ends = [changed if coin else " " for coin in coins]
        return "".join(word + end for word, end in zip(words, [*ends, ""], strict=True))
