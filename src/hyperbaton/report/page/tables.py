"""Tables as HTML: the first rows are in the page's text, all of them in its data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from hyperbaton.base.wording import plain
from hyperbaton.report.contents import Table
from hyperbaton.report.page.markup import attribute, paragraphs, prose

if TYPE_CHECKING:
    import polars

FIRST_ROWS = 60
_LONG = 24


_NO_TERMS: Mapping[str, str] = MappingProxyType({})


def tables_html(
    tables: Sequence[Table], names: Sequence[str], terms: Mapping[str, str] = _NO_TERMS
) -> str:
    """Every table with its title, buttons and note; terms say what they mean."""
    return "".join(
        _section(table, name, number, terms)
        for number, (table, name) in enumerate(zip(tables, names, strict=True))
    )


def _section(table: Table, name: str, number: int, terms: Mapping[str, str]) -> str:
    more = table.data.height - FIRST_ROWS
    rest = (
        f'<button type="button" class="more">Show {more:,} more rows</button>' if more > 0 else ""
    )
    return (
        f'<section class="table" id="{name}" data-table="{number}">'
        f"<header><h3>{prose(table.title, terms)}</h3>"
        f'<div class="tools"><button type="button" class="csv" data-file="{name}.csv">CSV</button>'
        f"</div></header>{grid_html(table, FIRST_ROWS, terms)}{rest}"
        f"{_note(table.note, terms)}</section>"
    )


def _note(note: str, terms: Mapping[str, str]) -> str:
    return f'<div class="note">{paragraphs(note, terms)}</div>' if note else ""


def grid_html(table: Table, rows: int = FIRST_ROWS, terms: Mapping[str, str] = _NO_TERMS) -> str:
    """The table itself, down to a number of rows."""
    head = table.data.head(rows)
    columns = [plain(column, table.is_share(column.name)) for column in head.get_columns()]
    kinds = [
        "number" if numeric else "long" if any(len(cell) > _LONG for cell in cells) else ""
        for numeric, cells in zip(_numeric(head), columns, strict=True)
    ]
    top = "".join(
        f'<th scope="col" class="{kind}" data-column="{i}"><button type="button">'
        f"{prose(name, terms)}</button></th>"
        for i, (name, kind) in enumerate(zip(head.columns, kinds, strict=True))
    )
    body = "".join(
        f"<tr>{''.join(map(_cell, row, kinds))}</tr>" for row in zip(*columns, strict=True)
    )
    label = attribute(table.title)
    return (
        f'<div class="grid" tabindex="0" role="region" aria-label="{label}"><table>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _numeric(data: polars.DataFrame) -> list[bool]:
    return [column.dtype.is_numeric() for column in data.get_columns()]


def _cell(text: str, kind: str) -> str:
    return f'<td class="{kind}" dir="auto">{prose(text)}</td>'


def table_data(table: Table) -> dict[str, object]:
    """The whole table for sorting and saving: as shown, and in full."""
    columns = table.data.get_columns()
    return {
        "names": table.data.columns,
        "shown": [plain(column, table.is_share(column.name)) for column in columns],
        "values": [
            column.to_list() if column.dtype.is_numeric() else plain(column) for column in columns
        ],
        "numeric": _numeric(table.data),
    }
