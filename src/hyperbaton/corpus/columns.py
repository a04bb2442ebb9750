"""Texts that are in memory already: lists, and columns of DataFrames (polars or pandas)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.given import plain, told

_MISSING = ("None", "nan", "<NA>", "NaT", "numpy.datetime64('NaT')")
"""What libraries put where there is no text; a comparison with some of them is no answer."""


def texts_in(given: object, what: str) -> list[str]:
    """The texts of a list or a column, each of which must be one; a single text stands for itself.

    >>> texts_in("It rains.", "texts"), texts_in(("a", "b"), "texts")
    (['It rains.'], ['a', 'b'])
    """
    given = plain(given)
    if isinstance(given, str):
        given = (given,)
    elif is_table(given) or len(getattr(given, "shape", ())) > 1:
        raise HyperbatonError(
            f"{what} must be one column: give frame['name'] instead of the whole table"
        )
    unordered = isinstance(given, set | frozenset)
    if unordered or isinstance(given, bytes | Mapping | type) or not isinstance(given, Iterable):
        raise HyperbatonError(f"{what} must be a text or a list of texts, not {told(given)}")
    return [_text(text, f"{what}: row {number:,}") for number, text in enumerate(given, 1)]


def _text(given: object, where: str) -> str:
    text = plain(given)
    if not isinstance(text, str):
        shown = told(text)
        wrong = f"missing ({shown})" if shown in _MISSING else f"{shown}, which is no text"
        raise HyperbatonError(f"{where} is {wrong}; '' is an empty text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise HyperbatonError(f"{where} is not valid Unicode: {told(text)}") from None
    return str.__str__(text)  # without what a class of its own adds


def collected(given: Any) -> Any:
    """The DataFrame that a LazyFrame of polars stands for; anything else as it is."""
    return given.collect() if hasattr(given, "collect") and is_table(given) else given


def is_table(given: object) -> bool:
    """Whether it is a DataFrame of polars or pandas, told by what it can do: neither is loaded."""
    return hasattr(type(given), "columns") and hasattr(given, "__getitem__")


def column_of(table: Any, names: Sequence[str], what: str) -> list[str]:
    """The texts of the first of these columns that a DataFrame has."""
    known = [str(name) for name in table.columns]
    chosen = next((name for name in names if name in known), None)
    if chosen is None:
        raise HyperbatonError(
            f"the DataFrame has no column for the {what}: call it {names[0]} (it has: "
            f"{', '.join(known) or 'none'})"
        )
    column = table[chosen]
    return texts_in(column, f"column {chosen}")
