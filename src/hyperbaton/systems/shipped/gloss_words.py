"""The words of a text as the dictionary of `gloss` has them.

A word is a run of letters and digits with inner hyphens. These stand by themselves: a number;
English n't, 's, 'm, 're, 'll, 'd, 've; what French and Italian elide (l', qu', dell'); a pronoun
that French hangs on (-tu, -t-il). All else but white space is marks, mostly a character each.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

__all__ = [
    "SUFFIX",
    "Token",
    "is_spaced_script",
    "is_word",
    "normal",
    "scripts",
    "tokens",
]

_APOSTROPHES = str.maketrans("’ʼ‘`´", "'''''")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B) if chr(code).isalnum()}
_LETTER = r"[^\W\d_]"
_PLAIN = r"[^\W_]+(?:-[^\W_]+)*"
_ENGLISH = r"'(?:s|m|re|ll|d|ve)\b"
_HUNG = (
    r"-(?:t-)?(?:ils?|elles?|on)\b|-(?:je|tu|nous|vous|ce|moi|toi|les?|la|lui|leur|y|en|là|ci)\b"
)
_WORDS = {
    "en": rf"n't\b|{_ENGLISH}|(?:Mr|Mrs|Ms|Dr|St)\.|o'clock|{_LETTER}+?(?=n't\b)|{_PLAIN}",
    "fr": rf"aujourd'hui|{_LETTER}+'(?={_LETTER})|{_HUNG}|{_LETTER}+(?={_HUNG})|{_PLAIN}",
    "it": rf"po'|{_LETTER}+'(?={_LETTER})|{_PLAIN}",
}
_SPACED_SCRIPT = "0-9A-Za-zÀ-ɏЀ-ӿ"
_SCRIPTS = re.compile(
    rf"[{_SPACED_SCRIPT}]+(?:[.,:'-][{_SPACED_SCRIPT}]+)*|[^\W_{_SPACED_SCRIPT}]+|\.{{2,}}|\S"
)
SUFFIX = re.compile(rf"n't|{_ENGLISH}|{_HUNG}", re.IGNORECASE)
"""A word that is written together with the one before it."""


@dataclass(frozen=True)
class Token:
    """A word or mark, and whether white space (or the start of the text) stood before it."""

    text: str
    spaced: bool = True


def is_word(text: str) -> bool:
    """Whether it is more than punctuation."""
    return any(map(str.isalnum, text))


def is_spaced_script(character: str) -> bool:
    """Whether it is a letter or digit of a script that parts words by spaces."""
    return character.isalnum() and character < "\u2e80"


def normal(text: str) -> str:
    """Composed characters, plain apostrophes, Latin letters and digits in half width."""
    return unicodedata.normalize("NFC", text).translate(_APOSTROPHES).translate(_WIDE)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    word = _WORDS.get(language, _PLAIN)
    number = r"\d+(?:[.,:]\d+)*(?![^\W_])"
    initials = rf"(?:{_LETTER}\.){{2,}}"
    return re.compile(rf"{number}|{initials}|{word}|\.{{2,}}|\S", re.IGNORECASE)


def tokens(text: str, language: str) -> list[Token]:
    """The words and marks of a language that writes spaces.

    >>> [token.text for token in tokens("I don't know, Mr. Fox.", "en")]
    ['I', 'do', "n't", 'know', ',', 'Mr.', 'Fox', '.']
    >>> [token.text for token in tokens("Qu’as-tu vu à l’école ?", "fr")]
    ["Qu'", 'as', '-tu', 'vu', 'à', "l'", 'école', '?']
    """
    return _found(_pattern(language), normal(text))


def scripts(text: str) -> list[Token]:
    """The runs of one kind in a text without spaces: its own script, another script, marks.

    >>> [token.text for token in scripts("トムは3.5ｋｍ走った。")]
    ['トムは', '3.5km', '走った', '。']
    """
    return _found(_SCRIPTS, normal(text))


def _found(pattern: re.Pattern[str], text: str) -> list[Token]:
    matches = pattern.finditer(text)
    return [Token(m[0], m.start() == 0 or text[m.start() - 1].isspace()) for m in matches]
