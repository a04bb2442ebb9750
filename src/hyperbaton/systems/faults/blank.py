"""An empty translation of a text that has words: an answer that says nothing is none."""

from __future__ import annotations

import unicodedata

from hyperbaton.systems.system import Translation

__all__ = ["EMPTY", "has_words", "is_blank", "without_blank"]

EMPTY = "the translation is empty"
"""The fault of such an answer; the store keeps the answer itself, so nobody is asked again."""


def is_blank(text: str) -> bool:
    r"""Whether nothing of a text can be seen.

    >>> is_blank(""), is_blank(" \u200b\ufeff"), is_blank("…")
    (True, True, False)
    """
    return not text.strip() or all(c.isspace() or unicodedata.category(c) == "Cf" for c in text)


def has_words(text: str) -> bool:
    """Whether a text has a letter or a digit, so that there is something to translate.

    >>> has_words("No. 7"), has_words("7"), has_words("?!")
    (True, True, False)
    """
    return any(map(str.isalnum, text))


def without_blank(source: str, answer: Translation) -> Translation:
    """The answer, or a fault where it is empty though its source has words."""
    if answer.text is not None and is_blank(answer.text) and has_words(source):
        return Translation(None, EMPTY)
    return answer
