"""Letters and their marks: what is composed into one character, and what stays together."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise


@lru_cache(maxsize=1 << 14)
def is_mark(character: str) -> bool:
    """Whether a character is a mark on the one before it: an accent, a vowel sign.

    >>> is_mark("\\u0301"), is_mark("e"), is_mark("\\u093e")
    (True, False, True)
    """
    return unicodedata.category(character).startswith("M")


def starts_of_letters(text: str) -> list[int]:
    """Where each letter starts, its marks with it; marks at the start of a text are one.

    >>> starts_of_letters("e\\u0301te\\u0301")
    [0, 2, 3]
    """
    if text.isascii():
        return list(range(len(text)))
    return [at for at, character in enumerate(text) if not at or not is_mark(character)]


def letters(text: str) -> list[str]:
    """The characters of a text, each with the marks behind it.

    >>> letters("ɔ\\u0301n") == ["ɔ\\u0301", "n"]
    True
    """
    return [text[a:b] for a, b in pairwise([*starts_of_letters(text), len(text)])]


def composed(text: str) -> Iterator[tuple[str, int]]:
    """Each character of a text after composition, and where in the text it ends.

    As SentencePiece composes: a plain letter with the marks behind it, as long as there is one
    character for them. Marks are not brought into order, and none is added to a letter that has
    one already, as NFC does.

    >>> "".join(character for character, _ in composed("o\\u0301\\u0323 e\\u0301"))
    'ó\u0323 é'
    """
    parts = held = ""
    for at, character in enumerate(text):
        both = _composed(parts + character) if held and character > "\u02ff" else ""
        if held and not both:
            yield held, at
        parts = parts + character if both else character
        held = both or character
    if held:
        yield held, len(text)


@lru_cache(maxsize=1 << 14)
def _composed(parts: str) -> str:
    """The one character for a letter and its marks, if there is one."""
    letter = unicodedata.normalize("NFC", parts)
    return letter if len(letter) == 1 and unicodedata.normalize("NFD", letter) == parts else ""
