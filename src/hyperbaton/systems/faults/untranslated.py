"""Answers that are no translations: the source copied, or a text in another language than asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from hyperbaton.language.languages import base, name
from hyperbaton.systems.faults.identification import foreign_language, identifier_version, is_rather

__all__ = [
    "COPIED",
    "RULE",
    "untranslated",
    "untranslated_answers",
    "untranslated_said",
    "untranslated_signature",
]

COPIED = "copied"
RULE = 1
"""Raised when the same answers would be judged otherwise."""

_LETTERS = re.compile(r"[^\W_]+")
_WORDS, _PLAIN, _CAPITALS = 3, 2, 5
"""Words without which a copy may well be right, since names stay as they are: in all, without a
capital, and in a text of capitals alone."""
_UNSPACED = 6
"""The same in letters, where words are not written apart."""
_CHARACTERS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def untranslated_answers(
    sources: Sequence[str], outputs: Sequence[str | None], languages: tuple[str, str]
) -> list[str | None]:
    """What is wrong with each answer, as `untranslated` says; None for what is not there."""
    known: dict[tuple[str, str], str | None] = {}
    found: list[str | None] = []
    for source, output in zip(sources, outputs, strict=True):
        key = (source, output or "")
        if key not in known:
            known[key] = untranslated(*key, languages) if output else None
        found.append(known[key])
    return found


def untranslated(source: str, output: str, languages: tuple[str, str]) -> str | None:
    """`copied`, the code of another language than the target, or None for a translation.

    >>> untranslated("It is raining again.", "it is raining again", ("en", "de"))
    'copied'
    >>> untranslated("New York Times", "New York Times", ("en", "de"))
    >>> untranslated("It is raining again.", "Es regnet schon wieder.", ("en", "de"))
    """
    given, wanted = languages
    found = foreign_language(output, given, wanted)
    if base(given) == base(wanted) or not _is_copy(source, output):
        return found
    # What was in the target language already is rightly copied, and so are names.
    telling = _would_change(source) and not is_rather(output, wanted, given)
    return COPIED if telling or found else None


def untranslated_said(what: str) -> str:
    """What is wrong with an answer, in words.

    >>> untranslated_said("copied"), untranslated_said("fr")
    ('copied', 'in French')
    """
    return what if what == COPIED else f"in {name(what)}"


def untranslated_signature() -> str:
    """What decides: the rule, and who tells languages apart."""
    return f"untranslated: rule {RULE}, {identifier_version() or 'copies only'}"


def _is_copy(source: str, output: str) -> bool:
    """Whether two texts have the same letters and digits; case, marks and spaces do not count."""
    return _letters(source) == _letters(output)


def _letters(text: str) -> list[str]:
    return _LETTERS.findall(unicodedata.normalize("NFKC", text).casefold())


def _would_change(text: str) -> bool:
    """Whether a translation of the text would surely be another text: not so of a few names."""
    if len(_CHARACTERS.findall(text)) >= _UNSPACED:
        return True
    words = [word for word in map(_stripped, text.split()) if word.replace("'", "").isalpha()]
    plain = sum(not word[0].isupper() for word in words)
    shouted = text.isupper() and len(words) >= _CAPITALS
    return len(words) >= _WORDS and (plain >= _PLAIN or shouted)


def _stripped(word: str) -> str:
    """A word without the marks around it, its own marks as plain ones."""
    inner = word.replace("’", "'").replace("-", "")
    return re.sub(r"^\W+|\W+$", "", inner)
