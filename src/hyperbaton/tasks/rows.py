"""Rows of the tables that data sets are kept in: tab-separated, or JSON Lines, also compressed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.tables import json_objects

_PACKED = ("", ".xz", ".gz", ".zst")


def there(folder: Path, name: str) -> Path | None:
    """A file of a data set, plain or compressed, if it is there."""
    paths = (folder / f"{name}{ending}" for ending in _PACKED)
    return next((path for path in paths if path.is_file()), None)


def found(folder: Path, name: str) -> Path:
    """A file that a data set must have."""
    if (path := there(folder, name)) is None:
        raise HyperbatonError(f"{folder} has no file {name}: is it the folder of this data set?")
    return path


def chosen(language: str, known: Sequence[str], folder: Path) -> str:
    """A language that the data set has."""
    if language not in known:
        some = ", ".join(known[:8]) + (" …" if len(known) > 8 else "")
        raise HyperbatonError(
            f"{folder} has no language '{language}' (it has {len(known)}: {some})."
            f"{did_you_mean(language, known)}"
        )
    return language


def tabbed(path: Path, columns: int, header: bool = False) -> Iterator[list[str]]:
    """The cells of each line; a line with fewer cells than it needs is named."""
    for number, line in read_lines(path):
        if header and number == 1:
            continue
        cells = line.split("\t")
        if len(cells) < columns:
            raise HyperbatonError(
                f"{path}: line {number} has {len(cells)} columns, not {columns}: is it a table "
                "with tabs between columns?"
            )
        yield cells


def objects(path: Path, keys: Sequence[str]) -> Iterator[dict[str, object]]:
    """The object in each line; one that lacks a key is named."""
    for where, value in json_objects(path):
        if any(key not in value for key in keys):
            raise HyperbatonError(f"{where} lacks one of {', '.join(keys)}")
        yield value
