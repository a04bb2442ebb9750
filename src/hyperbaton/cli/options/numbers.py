"""Numbers on the command line: each kind says what it accepts."""

from __future__ import annotations

import argparse
import math
import os

__all__ = [
    "digits",
    "natural",
    "number",
    "port",
    "positive",
    "processes",
    "resamples",
    "share",
    "whole",
]

LARGEST = 2**53
"""The largest whole number that every reader of JSON keeps."""
_SHOWN = 20


def whole(text: str, least: int = -LARGEST, most: int = LARGEST) -> int:
    """A whole number within bounds.

    >>> whole("12", least=1)
    12
    """
    try:
        value = int(text)
    except ValueError:  # no number, or one with more digits than Python converts
        digits = text.strip()
        if not digits.lstrip("+-").isdecimal():
            raise argparse.ArgumentTypeError(f"a whole number, not {_short(text)}") from None
        value = least - 1 if digits.startswith("-") else most + 1
    if value < least:
        raise argparse.ArgumentTypeError(f"at least {least}, not {_short(text)}")
    if value > most:
        raise argparse.ArgumentTypeError(f"at most {most}, not {_short(text)}")
    return value


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return whole(text, least=1)


def natural(text: str) -> int:
    """A whole number from 0 on."""
    return whole(text, least=0)


def processes(text: str) -> int:
    """A number of processes: 0 for none beside this one."""
    return whole(text, least=0, most=max(64, 4 * (os.cpu_count() or 1)))


def resamples(text: str) -> int:
    """A number of bootstrap resamples."""
    return whole(text, least=1, most=1_000_000)


def port(text: str) -> int:
    """A port of this computer: 0 for one that is free."""
    return whole(text, least=0, most=65_535)


def digits(text: str) -> int:
    """A number of digits after the decimal point; a double holds no more than 17."""
    return whole(text, least=0, most=17)


def number(text: str) -> float:
    """Any number but NaN and the infinities."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"a number, not {_short(text)}")
    return value


def share(text: str) -> float:
    """A share of a whole, 0 to 1."""
    value = number(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"a number from 0 to 1, not {_short(text)}")
    return value


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
