"""Parquet: tables as Hugging Face's datasets are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.columns import Columns
from hyperbaton.corpus.compression import STANDARD_INPUT
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.tables import DEFAULT, item_of

__all__ = ["read_parquet_rows"]

_USUAL = ("source", "reference", "id", "translation")


def read_parquet_rows(
    path: str | Path, columns: Columns = DEFAULT, languages: Sequence[str | None] = ()
) -> Iterator[Item]:
    """The items of a Parquet file, by the same names as in JSON Lines.

    A column `translation` that holds a text for each language gives those asked for.
    """
    if columns.numbered:
        raise HyperbatonError(f"{path}: the columns of Parquet have names, not numbers")
    if str(path) == STANDARD_INPUT:
        raise HyperbatonError("Parquet is not read from standard input: save it to a file")
    file = Path(path)
    if not file.is_file():
        raise HyperbatonError(f"{path}: no such file")
    number = 0
    for record in _records(file):
        number += 1
        yield item_of(record, columns, languages, f"{path}, row {number}", number)
    if not number:
        raise HyperbatonError(f"{path} holds no rows")


def _records(file: Path) -> Iterator[dict[str, object]]:
    """The rows as objects, without columns that hold neither text nor numbers nor texts by name."""
    from hyperbaton.base.parquet import UnreadableParquet, parquet_schema, read_parquet, try_parquet

    try:
        try_parquet(file, _USUAL)  # before this process looks into the file
        kept = [name for name, kind in parquet_schema(file).items() if _is_readable(kind)]
        if not kept:
            raise HyperbatonError(f"{file} has no column of texts")
        # All at once, in the way that was tried: read by pieces, a damaged file panics otherwise.
        try_parquet(file, kept)
        rows = read_parquet(file, kept)
    except UnreadableParquet as error:
        raise HyperbatonError(
            f"{file} cannot be read as Parquet ({error}): write or fetch the file again"
        ) from None
    yield from rows.iter_rows(named=True)


def _is_readable(kind: object) -> bool:
    import polars as pl

    if isinstance(kind, pl.Struct):
        return all(_is_readable(field.dtype) for field in kind.fields)
    return kind in (pl.String, pl.Boolean, pl.Null) or getattr(kind, "is_numeric", bool)()
