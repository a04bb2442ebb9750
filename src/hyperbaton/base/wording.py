"""Numbers and counts for people and spreadsheets: never `nan`, "1 lines" or a formula."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars

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


def decimal_bounds(low: float, high: float, form: str = ".3f") -> str:
    """An interval in a format of Python's, or that there is none.

    >>> decimal_bounds(0.1, 0.25), decimal_bounds(math.nan, math.nan)
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


def show(value: float | None, digits: int = 3) -> str:
    """A number with a true minus sign, or a dash where there is none.

    >>> show(-0.12345), show(float("nan")), show(12345.678, 1)
    ('−0.123', '–', '12,345.7')
    """
    if value is None or not math.isfinite(value):
        return "–" if value is None or math.isnan(value) else ("∞" if value > 0 else "−∞")
    text = f"{value:,.{digits}f}"
    return "−" + text[1:] if text.startswith("-") and text.strip("-0.,") else text.lstrip("-")


def percent(value: float, digits: int | None = None) -> str:
    """A share in per cent; what is less than one has as many decimals as show something.

    >>> percent(0.582), percent(0.0021), percent(0.0), percent(0.00004), percent(float("nan"))
    ('58 %', '0.2 %', '0 %', '0.004 %', '–')
    """
    if value != value:
        return "–"
    return f"{100 * value:.{percent_digits(value) if digits is None else digits}f} %"


def percent_digits(value: float) -> int:
    """The decimals with which a share in per cent is shown.

    >>> percent_digits(0.582), percent_digits(0.0021), percent_digits(0.0)
    (0, 1, 0)
    """
    return max(0, math.ceil(-math.log10(100 * value))) if 0 < value < 0.01 else 0


def percent_text(value: float, low: float, high: float) -> str:
    """A share with its interval, as a sentence has it.

    >>> percent_text(0.582, 0.54, 0.617), percent_text(0.5, float("nan"), float("nan"))
    ('58 % [54, 62]', '50 %')
    """
    sure = math.isfinite(low) and math.isfinite(high)
    return f"{100 * value:.0f} %" + (f" [{100 * low:.0f}, {100 * high:.0f}]" if sure else "")


def amount(value: float, low: float, high: float, unit: str = "") -> tuple[str, str]:
    """A number and its interval, where there is one: as it is, in per cent (`%`), or in points.

    >>> amount(0.3, 0.25, 0.351), amount(0.3, 0.25, 0.351, "%")
    (('0.300', '[0.250, 0.351]'), ('30 %', '[25, 35]'))
    >>> amount(-0.3, -0.351, -0.25, "points")
    ('−30 points', '[−35, −25]')
    """
    if not unit:
        digits = precision(value, low, high)
        return show(value, digits), bounds(low, high, digits)
    said = show(100 * value, 0)
    return said if said == "–" else f"{said} {unit}", bounds(100 * low, 100 * high, 0)


def bounds(low: float, high: float, digits: int = 3) -> str:
    """An interval, or that there is none.

    >>> bounds(-0.12, 0.3), bounds(float("nan"), float("nan"))
    ('[−0.120, 0.300]', '(no interval)')
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return "(no interval)"
    return f"[{show(low, digits)}, {show(high, digits)}]"


def p_text(p: float) -> str:
    """A p-value in words.

    >>> p_text(0.0002), p_text(0.0312), p_text(1.0), p_text(float("nan"))
    ('p < .001', 'p = .031', 'p = 1', '')
    """
    if math.isnan(p):
        return ""
    if p < 0.001:
        return "p < .001"
    return "p = 1" if p > 0.9995 else f"p = {p:.3f}".replace("0.", ".", 1)


def p_cell(p: float) -> str:
    """A p-value under a heading that says so.

    >>> p_cell(0.0002), p_cell(0.0312), p_cell(1.0), p_cell(float("nan"))
    ('< .001', '.031', '1', '–')
    """
    return p_text(p).removeprefix("p ").removeprefix("= ") or "–"


def decimals(values: Sequence[float]) -> int:
    """How many decimals tell the numbers of a column apart without false precision.

    >>> decimals([0.25, 0.5]), decimals([104.25, 99.5]), decimals([1.0, 2.0])
    (3, 1, 0)
    """
    finite = [value for value in values if math.isfinite(value)]
    if not finite or all(value == int(value) for value in finite):
        return 0
    largest = max(map(abs, finite))
    return 3 if largest < 10 else 2 if largest < 100 else 1


def precision(*values: float) -> int:
    """Decimals for a value with its interval: three; one for percents and the like, from 10 on; or
    two digits of the largest if it is tiny.

    >>> precision(0.114, 0.097, 0.131), precision(-0.0004, -0.0008, 0.0), precision(53.75, 43.3)
    (3, 5, 1)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest >= 0.01 or not largest:
        return 3 if largest < 10 else 1
    return min(1 - math.floor(math.log10(largest)), 8)


def nice(value: float) -> float:
    """The next round number above a positive one.

    >>> nice(0.13), nice(0.21), nice(0.7), nice(3)
    (0.2, 0.5, 1.0, 5.0)
    """
    if not value or not math.isfinite(value):
        return 1.0
    power = math.floor(math.log10(value))
    step = next(step for step in (1, 2, 5, 10) if value <= step * 10.0**power * (1 + 1e-9))
    return round(step * 10.0**power, max(-power, 0) + 1)


def plain(column: polars.Series, percent: bool = False) -> list[str]:
    """The cells of a column as text: one number of decimals throughout, nothing for a gap."""
    if percent:
        shown = ["" if value is None else show(100 * value, 1) for value in column]
        return [f"{cell} %" if cell.strip("–") else cell for cell in shown]
    if column.dtype.is_integer():
        return ["" if value is None else show(value, 0) for value in column]
    if column.dtype.is_float() and (column.name == "p" or column.name.endswith(" p")):
        return ["" if value is None else p_cell(value) for value in column]
    if column.dtype.is_float():
        digits = decimals([value for value in column if value is not None])
        return ["" if value is None else show(value, digits) for value in column]
    if column.dtype.is_nested():
        return ["" if value is None else " ".join(map(str, value)) for value in column.to_list()]
    names = {True: "yes", False: "no", None: ""}
    return [names[v] if v is None or isinstance(v, bool) else str(v) for v in column]
