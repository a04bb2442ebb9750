"""Tables as files for a paper: CSV in full, Markdown and LaTeX as shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.files import write_text
from hyperbaton.base.wording import plain, spreadsheet_text
from hyperbaton.report.contents import Contents, Table
from hyperbaton.report.files.latex import latex_table
from hyperbaton.report.page.markup import unique_slugs

if TYPE_CHECKING:
    import polars

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|~])")


def markdown_text(text: str) -> str:
    r"""Text that Markdown shows as it is, on one line.

    >>> print(markdown_text("a|b *c*"))
    a\|b \*c\*
    """
    return " ".join(_MARKDOWN.sub(r"\\\1", text).split())


def _cells(table: Table, write: Callable[[str], str]) -> tuple[list[str], list[list[str]]]:
    columns = [[write(cell) for cell in plain(column)] for column in table.data.get_columns()]
    return [write(name) for name in table.data.columns], list(map(list, zip(*columns, strict=True)))


def _sides(table: Table) -> list[bool]:
    return [column.dtype.is_numeric() for column in table.data.get_columns()]


def _csv(table: Table) -> str:
    import polars

    kinds = table.data.schema.items()
    nested = [name for name, kind in kinds if kind.is_nested()]
    flat = [polars.Series(name, plain(table.data[name]), polars.String) for name in nested]
    data = table.data.with_columns(flat)
    texts = [name for name, kind in data.schema.items() if not _is_safe(kind)]
    cells = [
        polars.Series(name, [v and spreadsheet_text(v) for v in data[name].cast(polars.String)])
        for name in texts
    ]
    there = polars.selectors.float().fill_nan(None)  # a gap is an empty cell, not a word
    return data.with_columns(cells).with_columns(there).rename(spreadsheet_text).write_csv()


def _is_safe(kind: polars.DataType) -> bool:
    """Whether values of a kind are no texts that somebody wrote."""
    return kind.is_numeric() or kind.is_temporal() or str(kind) == "Boolean"


def _markdown(table: Table) -> str:
    head, rows = _cells(table, markdown_text)
    sides = ["---:" if right else ":---" for right in _sides(table)]
    lines = [f"| {' | '.join(row)} |" for row in (head, sides, *rows)]
    title = f"**{markdown_text(table.title)}**\n\n" if table.title else ""
    note = f"\n{markdown_text(table.note)}\n" if table.note else ""
    return title + "\n".join(lines) + "\n" + note


TABLE_FORMATS: dict[str, Callable[[Table], str]] = {
    "csv": _csv,
    "md": _markdown,
    "tex": latex_table,
}
"""Each format of a table with what writes it."""


def table_text(table: Table, form: str) -> str:
    """One table as the text of a file."""
    if form not in TABLE_FORMATS:
        hint = did_you_mean(form, TABLE_FORMATS)
        known = ", ".join(TABLE_FORMATS)
        raise HyperbatonError(f"unknown table format '{form}': one of {known}.{hint}")
    return TABLE_FORMATS[form](table)


def write_tables(
    contents: Contents, folder: Path, formats: Sequence[str] = ("csv", "md", "tex")
) -> list[Path]:
    """Write every table in every format; the files are named by the tables' ids."""
    names = unique_slugs([table.id for table in contents.tables])
    paths = []
    for table, name in zip(contents.tables, names, strict=True):
        for form in formats:
            path = folder / f"{name}.{form}"
            write_text(path, table_text(table, form))
            paths.append(path)
    return paths
