"""Tables in a terminal: columns line up, numbers to the right."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperbaton.base.errors import printable
from hyperbaton.base.wording import decimal

if TYPE_CHECKING:
    import polars as pl

    from hyperbaton.report.contents import Table

__all__ = ["as_text"]


def as_text(tables: Sequence[Table]) -> str:
    """Each table under its title."""
    return "\n\n".join(f"{table.id} {table.title}\n{_grid(table.data)}" for table in tables)


def _grid(table: pl.DataFrame) -> str:
    rows = [list(table.columns)]
    rows += [[_cell(name, row[name]) for name in table.columns] for row in table.to_dicts()]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    numeric = [dtype.is_numeric() for dtype in table.dtypes]
    return "\n".join(_line(row, widths, numeric) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    cells = []
    for cell, width, right in zip(row, widths, numeric, strict=True):
        gap = " " * (width - _width(cell))
        cells.append(gap + cell if right else cell + gap)
    return "  ".join(cells).rstrip()


def _width(cell: str) -> int:
    """Columns that a cell takes: the bar of chrF̄2 takes none, a Chinese character two."""
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in cell
        if not unicodedata.combining(character)
    )


def _cell(name: str, value: object) -> str:
    if isinstance(value, float):
        if name == "p":
            return "< .001" if value < 0.001 else decimal(value, missing="–")
        return decimal(value, ".2f" if name == "t" else ".4f", missing="–")
    return "" if value is None else printable(value)
