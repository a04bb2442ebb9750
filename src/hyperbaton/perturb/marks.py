"""Surface variants of marks: the final mark, apostrophes, quotation marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.randomness import Rng
from hyperbaton.language.languages import base
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.perturbation import Rewriting

__all__ = ["AddFinalMark", "Apostrophe", "DropFinalMark", "Quotes"]

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
