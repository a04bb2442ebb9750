"""Numbers and counts for people and spreadsheets: never `nan`, "1 lines" or a formula."""

from __future__ import annotations

import math
import re

_COMMAND = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)*(?:[eE][+-]?[0-9]+)?")


def counted(number: int, thing: str, things: str | None = None) -> str:
    """A count with its noun, in the plural where there is not exactly one.

    >>> counted(1, "line"), counted(12345, "line"), counted(0, "entry", "entries")
    ('1 line', '12,345 lines', '0 entries')
    """
    noun = thing if number == 1 else things or f"{thing}s"
    return f"{number:,} {noun}"


def decimal(value: float, form: str = ".3f", missing: str = "n/a") -> str:
    """A number in a format of Python's; what rounds to zero has no sign, what is none a word.

    >>> decimal(0.1234, "+.3f"), decimal(-0.0001), decimal(-0.0, ".4g"), decimal(math.nan)
    ('+0.123', '0.000', '0', 'n/a')
    """
    if not math.isfinite(value):
        return missing
    text = format(value, form)
    return text if any(digit in text for digit in "123456789") else text.lstrip("+-")


def bounds(low: float, high: float, form: str = ".3f") -> str:
    """An interval in a format of Python's, or that there is none.

    >>> bounds(0.1, 0.25), bounds(math.nan, math.nan)
    ('[0.100, 0.250]', '(no interval)')
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return "(no interval)"
    return f"[{decimal(low, form)}, {decimal(high, form)}]"


def spreadsheet_text(text: str) -> str:
    """A text for a cell of CSV; an apostrophe keeps spreadsheets from taking it for a formula.

    >>> spreadsheet_text("=HYPERLINK(0)"), spreadsheet_text("- he said"), spreadsheet_text("-0.5")
    ("'=HYPERLINK(0)", "'- he said", '-0.5')
    """
    return f"'{text}" if _COMMAND.match(text) and not _NUMBER.fullmatch(text) else text
