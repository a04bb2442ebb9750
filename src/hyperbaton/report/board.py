"""A board: many systems by many measures, each cell a link to its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hyperbaton.report.contents import Span, Table

if TYPE_CHECKING:
    from hyperbaton.report.contents import Figure


@dataclass(frozen=True)
class Cell:
    """What one system has by one measure."""

    value: Span
    rank: int
    """1 and the number of systems that are certainly ahead, so that ties share it."""
    link: str = ""
    """The sentences behind it: a place in the page."""
    own: Span | None = None
    """The same of a sentence that did not change: what the system does by itself."""


@dataclass(frozen=True)
class Column:
    """A measure, with every system that has it."""

    label: str
    plain: str
    """What it says, in words of every day."""
    kind: str
    """The study that it comes from, or what else: quality, control."""
    lower: bool
    """Whether the lowest is the best."""
    cells: Mapping[str, Cell]
    share: bool = False
    """Whether it is a share, which is shown in per cent."""


@dataclass(frozen=True)
class Board:
    """The systems in the order of the measure that leads."""

    question: str
    answers: Sequence[str]
    """What is to be said to somebody who asks that, the most certain first."""
    columns: Sequence[Column]
    systems: Sequence[str]
    marks: Mapping[str, str] = field(default_factory=dict)
    """Systems whose numbers hold noise of their own, with the reason."""
    figures: Sequence[Figure] = ()


def board_table(board: Board, note: str = "") -> Table:
    """All of it as one table: for CSV, Markdown and LaTeX."""
    import polars

    rows: list[dict[str, object]] = []
    for system in board.systems:
        row: dict[str, object] = {"system": system, "mark": "†" if system in board.marks else ""}
        for column in board.columns:
            cell = column.cells.get(system)
            value, low, high = cell.value if cell else (None, None, None)
            row |= {column.label: value, f"{column.label} low": low, f"{column.label} high": high}
            row[f"{column.label} rank"] = cell.rank if cell else None
            if any(other.own for other in column.cells.values()):
                row[f"{column.label} own"] = cell.own[0] if cell and cell.own else None
        rows.append(row)
    frame = polars.DataFrame(rows, infer_schema_length=None).fill_nan(None)
    kept = [name for name in frame.columns if frame[name].null_count() < frame.height]
    return Table("board", "All systems by all measures", frame.select(kept), note)
