"""What a call from Python is given: scalars of NumPy are numbers and texts, the rest is checked."""

from __future__ import annotations

import operator
import os
import reprlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.spec import Spec

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60
_LARGEST = 2**63 - 1


def told(value: object) -> str:
    r"""A value as an error shows it: one line, and no longer than it takes to know it.

    >>> print(told("a\nb"), told(["x"] * 100))
    'a\nb' ['x', 'x', 'x', 'x', 'x', 'x', ...]
    """
    return printable(_SHORT.repr(value))


def plain(value: object) -> object:
    """The text or number that a scalar of NumPy holds; any other value as it is.

    >>> import numpy as np
    >>> plain(np.int64(3)), plain(np.str_("a")), plain("b")
    (3, 'a', 'b')
    """
    if getattr(value, "shape", None) == () and callable(item := getattr(value, "item", None)):
        return item()
    return value


def whole_number(value: object, what: str, least: int = 0, most: int = _LARGEST) -> int:
    """A whole number of any type that stands for one, but neither true nor false.

    >>> import numpy as np
    >>> whole_number(np.int64(3), "seed")
    3
    """
    number = plain(value)
    if not isinstance(number, bool):
        try:
            found = operator.index(number)  # type: ignore[arg-type]
        except TypeError:
            found = least - 1
        if least <= found <= most:
            return found
    bounds = f"from {least} on" if most == _LARGEST else f"from {least} to {most:,}"
    raise HyperbatonError(f"{what} must be a whole number {bounds}, not {told(value)}")


def yes_or_no(value: object, what: str) -> bool:
    """True or False, and nothing that merely counts as one."""
    found = plain(value)
    if not isinstance(found, bool):
        raise HyperbatonError(f"{what} must be True or False, not {told(value)}")
    return found


def name_in(value: object, what: str) -> str:
    """One name: a text, or the value that it stands for, such as a metric."""
    found = plain(value)
    if isinstance(found, Spec):
        return str(found)
    if not isinstance(found, str):
        raise HyperbatonError(f"{what} must be a name, not {told(value)}")
    return found


def several(value: object, what: str) -> list[str | Spec]:
    """The names and values in one of them, or in a list, array or column."""
    one = plain(value)
    if isinstance(one, str | Spec):
        return [one]
    unfit = isinstance(one, bytes | Mapping | Path | type) or not isinstance(one, Iterable)
    names = [] if unfit else [plain(name) for name in one]  # type: ignore[attr-defined]
    found = [name for name in names if isinstance(name, str | Spec)]
    if unfit or len(found) < len(names):
        raise HyperbatonError(f"{what} must be a name or a list of names, not {told(value)}")
    return found


def names_in(value: object, what: str) -> list[str]:
    """The names in a name, or in a list, array or column of names.

    >>> names_in("BLEU", "metrics"), names_in(("BLEU", "chrF"), "metrics")
    (['BLEU'], ['BLEU', 'chrF'])
    """
    return list(map(str, several(value, what)))


def path_in(value: object, what: str) -> str | Path:
    """A file or folder, by its name or its path."""
    found = plain(value)
    if isinstance(found, str | Path):
        try:
            if os.fsencode(found) and b"\0" not in os.fsencode(found):
                return found
        except UnicodeEncodeError:
            pass
        raise HyperbatonError(f"{what}: no file can have the name {told(str(found))}")
    raise HyperbatonError(f"{what} must be the name of a file or folder, not {told(value)}")
