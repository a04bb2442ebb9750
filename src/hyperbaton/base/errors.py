"""The errors that are meant for the user: one sentence, no traceback."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable

__all__ = ["HyperbatonError", "MissingExtra", "OutOfBudget", "did_you_mean", "printable"]

_ESCAPED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories that can move a terminal's cursor, reorder a line or break its encoding."""


class HyperbatonError(Exception):
    """A mistake the user can correct; the message says what is wrong, where, and what to do."""


class MissingExtra(HyperbatonError):
    """An optional part is not installed; the message holds the command that installs it."""


class OutOfBudget(HyperbatonError):
    """A limit on time, memory or money is reached; what was done is kept and can be resumed."""


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A hint that ends an error message, empty when nothing is close.

    >>> did_you_mean("treeMirorPre", ["treeMirrorPre", "reversed"])
    " Did you mean 'treeMirrorPre'?"
    """
    names = list(known)
    folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(wrong.casefold(), folded, n=1)
    return f" Did you mean '{folded[close[0]]}'?" if close else ""


def printable(text: object) -> str:
    r"""Text for a terminal: control characters and lone surrogates are shown as escapes.

    >>> print(printable("a\x1b[2J\nb"))
    a\x1b[2J\nb
    """
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in _ESCAPED
        else character
        for character in str(text)
    )
