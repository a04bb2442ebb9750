"""One JSON object of id → row, read column by column; what is missing is told with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.json_text import read_json

__all__ = ["KeyedRows"]


class KeyedRows:
    """The rows of a file by their ids."""

    def __init__(self, path: Path) -> None:
        self.path = path
        found = read_json(path)
        rows = found if isinstance(found, dict) else {}
        if not rows or not all(isinstance(row, dict) for row in rows.values()):
            raise HyperbatonError(
                f"{path}: an object of id → prediction is needed, with at least one"
            )
        self.rows: Mapping[str, Mapping[str, object]] = rows

    @property
    def columns(self) -> Sequence[str]:
        """The names in the first row."""
        return list(next(iter(self.rows.values())))

    def have(self, names: Sequence[str]) -> bool:
        """Whether every row has all of these."""
        return all(name in row for row in self.rows.values() for name in names)

    def texts(self, part: str, name: str) -> tuple[str, ...]:
        """The text under `part` → `name` of every row."""
        texts = []
        for key, row in self.rows.items():
            inner = row.get(part)
            text = inner.get(name) if isinstance(inner, dict) else None
            if not isinstance(text, str):
                raise HyperbatonError(f"{self.path}, '{key}': no text under {part} → {name}")
            texts.append(text)
        return tuple(texts)

    def numbers(self, name: str) -> list[float]:
        """The number under a name of every row."""
        values = []
        for key, row in self.rows.items():
            value = row.get(name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise HyperbatonError(f"{self.path}, '{key}': no number under {name}")
            try:
                values.append(float(value))
            except OverflowError:
                raise HyperbatonError(f"{self.path}, '{key}': {name} is too large") from None
        return values

    def labels(self, name: str) -> tuple[int | None, ...]:
        """0, 1 or nothing under a name of every row."""
        for key, row in self.rows.items():
            if row.get(name) not in (0, 1, None):
                raise HyperbatonError(f"{self.path}, '{key}': {name} is 0 or 1, not {row[name]}")
        values = (row.get(name) for row in self.rows.values())
        return tuple(None if value is None else int(bool(value)) for value in values)
