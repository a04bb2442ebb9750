"""What may be stored and written as a translation: one line of valid Unicode."""

from __future__ import annotations

import re

from hyperbaton.base.errors import printable
from hyperbaton.systems.system import Translation

__all__ = ["fold", "is_unicode", "sound"]

_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_MARK = "\ufeff"
"""Some programs begin what they write with it, to say that it is Unicode."""


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
