"""Slips of the finger and of the ear: a key beside the right one, letters that sound alike."""

from __future__ import annotations

from collections.abc import Iterator

from hyperbaton.language.languages import base

__all__ = ["by_keyboard", "by_sound"]

_ROWS = {
    "en": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
    "es": ("qwertyuiop", "asdfghjklñ", "zxcvbnm"),
    "it": ("qwertyuiopè", "asdfghjklòà", "zxcvbnm"),
    "ru": ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
}


def _beside(letter: str, language: str) -> str:
    """The keys to the left and right of a letter, and above and below it."""
    rows = _ROWS.get(base(language), _ROWS["en"])
    for number, row in enumerate(rows):
        at = row.find(letter)
        if at >= 0:
            near = row[max(0, at - 1) : at] + row[at + 1 : at + 2]
            for other in rows[max(0, number - 1) : number] + rows[number + 1 : number + 2]:
                near += other[at : at + 1]
            return near
    return ""


def by_keyboard(word: str, language: str) -> Iterator[str]:
    """The word with one wrong, missing, doubled or exchanged letter; its first letter stays.

    >>> list(by_keyboard("cat", "en"))[:4]
    ['cst', 'cqt', 'czt', 'ct']
    """
    for i in range(1, len(word)):
        letter = word[i]
        if not letter.isalpha() or letter.isupper():
            continue
        for key in _beside(letter, language):
            yield word[:i] + key + word[i + 1 :]
        yield word[:i] + word[i + 1 :]
        yield word[:i] + letter + word[i:]
        if i + 1 < len(word) and word[i + 1].isalpha() and word[i + 1] != letter:
            yield word[:i] + word[i + 1] + letter + word[i + 2 :]


def by_sound(word: str, sounds: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """The word with letters in place of others that sound alike; its first letter stays.

    >>> list(by_sound("believe", (("ie", "ei"), ("v", "f"))))
    ['beleive', 'beliefe']
    """
    for right, wrong in sounds:
        at = word.find(right, 1)
        if at > 0:
            yield word[:at] + wrong + word[at + len(right) :]
