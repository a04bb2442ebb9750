"""Texts that are in memory already: lists, and columns of DataFrames (polars or pandas)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hyperbaton.base.errors import HyperbatonError


def texts_in(given: object, what: str) -> list[str]:
    """The texts of a list or a column, each of which must be one; a single text stands for itself.

    >>> texts_in("It rains.", "texts"), texts_in(("a", "b"), "texts")
    (['It rains.'], ['a', 'b'])
    """
    if isinstance(given, str):
        return [given]
    if is_table(given):
        raise HyperbatonError(
            f"{what} must be one column: give frame['name'] instead of the whole DataFrame"
        )
    if not isinstance(given, Iterable) or isinstance(given, bytes | Mapping):
        raise HyperbatonError(f"{what} must be a text or a list of texts, not {given!r:.60}")
    texts = list(given)
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            missing = text is None or text != text
            wrong = "missing" if missing else f"{text!r:.60}, which is no text"
            raise HyperbatonError(f"{what}: number {number:,} is {wrong}; '' is an empty text")
    return texts


def is_table(given: object) -> bool:
    """Whether it is a DataFrame of polars or pandas, told by what it can do: neither is loaded."""
    return hasattr(given, "columns") and hasattr(given, "__getitem__")


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
