"""Which columns of a table are what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.corpus.item import Item

__all__ = ["Columns", "Found"]

NAMED = 50
"""How many columns of a table a message names."""


@dataclass(frozen=True)
class Found:
    """The columns of one table by name."""

    source: str
    reference: str | None
    id: str | None

    def item(self, row: Mapping[str, str], number: int, place: str) -> Item:
        """The item in one row, which is numbered where it has no id."""
        own = (self.source, self.reference, self.id)
        return Item(
            id=row[self.id] if self.id else str(number),
            source=row[self.source],
            reference=row[self.reference] if self.reference else None,
            columns={name: value for name, value in row.items() if name not in own},
            place=place,
        )


@dataclass(frozen=True)
class Columns:
    """The columns that hold source, reference and id: header names, or numbers from 1.

    None means the usual: columns named `source`, `reference` and `id` where there are such,
    and in a TSV file without such a header the first column and, where there is one, the second.
    """

    source: str | int | None = None
    reference: str | int | None = None
    id: str | int | None = None

    @property
    def named(self) -> bool:
        """Whether a column is given by name, so that a TSV file must have a header."""
        return any(isinstance(c, str) for c in (self.source, self.reference, self.id))

    @property
    def numbered(self) -> bool:
        """Whether a column is given by number."""
        return any(isinstance(c, int) for c in (self.source, self.reference, self.id))

    def find(self, names: Sequence[str], where: str) -> Found:
        """Which of these columns are meant; `where` is for messages."""
        source = self._name(self.source, names, "source", where, needed=True)
        return Found(
            source or "",
            self._name(self.reference, names, "reference", where),
            self._name(self.id, names, "id", where),
        )

    def _name(
        self,
        wanted: str | int | None,
        names: Sequence[str],
        usual: str,
        where: str,
        needed: bool = False,
    ) -> str | None:
        if isinstance(wanted, int):
            if not 1 <= wanted <= len(names):
                raise HyperbatonError(
                    f"{where}: no column {wanted}, the line has {len(names)} (counted from 1)"
                )
            return names[wanted - 1]
        name = usual if wanted is None else wanted
        if name in names:
            return name
        if wanted is None and not needed:
            return None
        has = ", ".join(names[:NAMED]) or "none"
        has += ", …" if len(names) > NAMED else ""
        raise HyperbatonError(
            f"{where}: no column '{name}' (there are: {has}).{did_you_mean(name, names[:NAMED])} "
            f"Say which column holds the {usual}"
        )
