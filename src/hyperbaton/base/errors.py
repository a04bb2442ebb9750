"""Errors for the user: one sentence, no traceback; missing extras are named with their command."""

from __future__ import annotations

import difflib
import importlib
import sys
import unicodedata
from collections.abc import Iterable
from importlib.util import find_spec
from types import ModuleType

_ESCAPED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories that can move a terminal's cursor, reorder a line or break its encoding."""


class HyperbatonError(Exception):
    r"""A mistake the user can correct; the message says what is wrong, where, and what to do.

    In one line, whatever name or text it repeats.

    >>> print(HyperbatonError("there is no file a\nb"))
    there is no file a\nb
    """

    def __str__(self) -> str:
        return printable(super().__str__())


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


def need(module: str, extra: str, package: str | None = None) -> ModuleType:
    """Import an optional module, or say which command installs it.

    >>> need("json", extra="anything").__name__
    'json'
    >>> need("no_such_module", extra="neural", package="NoSuch")
    Traceback (most recent call last):
        ...
    hyperbaton.base.errors.MissingExtra: NoSuch is not installed: pip install 'hyperbaton[neural]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise _missing(package or module.split(".")[0], extra) from None


def installed(module: str, extra: str) -> None:
    """Say which command installs a module that is not there, without importing one that is.

    >>> installed("json", extra="anything")
    >>> installed("no_module", extra="neural")
    Traceback (most recent call last):
        ...
    hyperbaton.base.errors.MissingExtra: no_module is not installed: \
pip install 'hyperbaton[neural]'
    """
    if sys.modules.get(module, sys) is None or find_spec(module) is None:
        raise _missing(module, extra)


def installed_version(distribution: str) -> str:
    """The version of an installed distribution, empty when it is not installed.

    >>> installed_version("no-such-distribution")
    ''
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def first_line(error: BaseException) -> str:
    """What an error of another library says first."""
    return str(error).strip().split("\n")[0]


def _missing(label: str, extra: str) -> MissingExtra:
    return MissingExtra(f"{label} is not installed: pip install 'hyperbaton[{extra}]'")
