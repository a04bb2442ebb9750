"""Answers that are no translations: not one line of valid Unicode, empty, or far too long."""

from __future__ import annotations

import re
import unicodedata

from hyperbaton.base.errors import printable
from hyperbaton.systems.system import Translation

_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_MARK = "\ufeff"
"""Some programs begin what they write with it, to say that it is Unicode."""
EMPTY = "the translation is empty"
"""The fault of such an answer; the store keeps the answer itself, so nobody is asked again."""
LONGEST, TIMES = 20_000, 20
"""Characters that any text may become, and how many times as long as itself a longer one may."""
RUNAWAY = (
    f"the translation has over {LONGEST:,} characters, {TIMES} times as many as its source or more"
)
"""The fault of such an answer; the store keeps the answer itself, so nobody is asked again."""
NO_TRANSLATION = frozenset({EMPTY, RUNAWAY})
"""Faults of answers that came: the system would give the same another time."""


def sound(answer: Translation) -> Translation:
    r"""The answer as it is stored, whoever gave it: one line, or the fault why there is none.

    >>> sound(Translation("\ufeffEin Haus,\u2028ein Baum.")).text
    'Ein Haus, ein Baum.'
    >>> sound(Translation("Ein\0Haus.")).fault
    'returned a NUL character'
    """
    if answer.text is None:
        fault = printable(fold(answer.fault)) or "no translation and no reason given"
        return answer if fault == answer.fault else Translation(None, fault)
    if "\0" in answer.text:
        return Translation(None, "returned a NUL character")
    if not is_unicode(answer.text):
        return Translation(None, "returned text that is not valid Unicode")
    text = fold(answer.text.lstrip(_MARK))
    return answer if text == answer.text and not answer.fault else Translation(text)


def fold(text: str) -> str:
    r"""The text in one line.

    >>> fold("Ein Haus,\r\nein Baum.\n")
    'Ein Haus, ein Baum.'
    """
    return _BREAKS.sub(" ", text).strip() if _BREAKS.search(text) else text


def is_unicode(text: str) -> bool:
    """Whether the text can be written as UTF-8 (a lone surrogate cannot)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_blank(text: str) -> bool:
    r"""Whether nothing of a text can be seen.

    >>> is_blank(""), is_blank(" \u200b\ufeff"), is_blank("…")
    (True, True, False)
    """
    seen = text.strip()[:1]
    if seen and unicodedata.category(seen) != "Cf":
        return False
    return not seen or all(c.isspace() or unicodedata.category(c) == "Cf" for c in text)


def has_words(text: str) -> bool:
    """Whether a text has a letter or a digit, so that there is something to translate.

    >>> has_words("No. 7"), has_words("7"), has_words("?!")
    (True, True, False)
    """
    return any(map(str.isalnum, text))


def translation_of(source: str, answer: Translation) -> Translation:
    """The answer, or the fault why it is no translation: it is empty, or far too long.

    >>> translation_of("Yes.", Translation("Ja. " * 6000)).fault == RUNAWAY
    True
    >>> translation_of("Yes. " * 6000, Translation("Ja. " * 6000)).fault
    ''
    """
    if answer.text is None:
        return answer
    # Scores of a text of such a length would take for ever.
    if len(answer.text) > max(LONGEST, TIMES * len(source)):
        return Translation(None, RUNAWAY)
    if is_blank(answer.text) and has_words(source):
        return Translation(None, EMPTY)
    return answer
