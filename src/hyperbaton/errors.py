"""The errors that are meant for the user: one sentence, no traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["HyperbatonError", "MissingExtra", "did_you_mean"]


class HyperbatonError(Exception):
    """A mistake the user can mend; the message says what is wrong, where, and what to do."""


class MissingExtra(HyperbatonError):
    """An optional part is not installed; the message holds the command that installs it."""


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A hint that ends an error message, empty when nothing is close.

    >>> did_you_mean("treeMirorPre", ["treeMirrorPre", "reversed"])
    " Did you mean 'treeMirrorPre'?"
    """
    names = list(known)
    folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(wrong.casefold(), folded, n=1)
    return f" Did you mean '{folded[close[0]]}'?" if close else ""
