"""How the tables of the isometry study look in a terminal, and as JSON."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["as_json", "as_text"]


def as_text(tables: Mapping[str, pl.DataFrame]) -> str:
    """Each table under its title, numbers to the right."""
    return "\n\n".join(f"{title}\n{_grid(table)}" for title, table in tables.items())


def as_json(tables: Mapping[str, pl.DataFrame]) -> str:
    """An object of tables, each a list of rows; what is no number is null."""
    return json.dumps(
        {title: [_plain(row) for row in table.to_dicts()] for title, table in tables.items()},
        ensure_ascii=False,
        indent=2,
    )


def _plain(row: Mapping[str, object]) -> dict[str, object]:
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in row.items()
    }


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
    """Columns that a cell takes: the bar of chrF̄2 takes none."""
    return sum(not unicodedata.combining(character) for character in cell)


def _cell(name: str, value: object) -> str:
    if isinstance(value, float):
        if math.isnan(value):
            return "–"
        if name == "p":
            return "< .001" if value < 0.001 else f"{value:.3f}"
        return f"{value:.2f}" if name == "t" else f"{value:.4f}"
    return "" if value is None else str(value)
