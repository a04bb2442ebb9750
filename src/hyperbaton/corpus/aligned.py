"""Files that belong together line by line: a source and its references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.conllu import read_conllu
from hyperbaton.corpus.item import Item, Text
from hyperbaton.corpus.lines import STANDARD_INPUT, Line, raw_lines, read_lines, shown

SideKind = Literal["text", "raw", "sgm", "conllu"]
"""What a file is read as; `raw` is plain text that may look like markup."""


@dataclass(frozen=True)
class Side:
    """One of the files: plain text, SGM, or CoNLL-U with the language that its words are in."""

    path: str | Path
    kind: SideKind = "text"
    language: str | None = None

    def items(self) -> Iterator[Item]:
        """The items of this file alone."""
        if self.kind == "conllu":
            return read_conllu(self.path, self.language)
        if self.kind == "sgm":
            from hyperbaton.corpus.sgm import read_sgm

            return read_sgm(self.path)
        return read_text(self.path) if self.kind == "text" else _numbered(raw_lines(self.path))

    @property
    def unit(self) -> str:
        """What the file is counted in."""
        return {"conllu": "items", "sgm": "segments"}.get(self.kind, "lines")

    def name(self, item: Item) -> str | None:
        """What the file itself calls an item; lines have no names."""
        if self.kind == "sgm":
            # As the field's own scorer has it: capital or not, a document is the same.
            both = (item.columns.get("doc", ""), item.columns.get("seg", ""))
            return " ".join(filter(None, both)).lower() or None
        return item.id if self.kind == "conllu" else None


def read_text(path: str | Path) -> Iterator[Item]:
    """One item per line; its id is the number of the line."""
    return _numbered(read_lines(path))


def _numbered(lines: Iterable[Line]) -> Iterator[Item]:
    for line in lines:
        yield Item(str(line.number), line.text)


def read_aligned(sides: Sequence[Side]) -> Iterator[Item]:
    """Items from files read side by side: source, reference, and further references as columns.

    The ids are those of the parsed files, which must agree, or else the line numbers. That one
    file is longer is known only at its end, and is told then with the count of each.
    """
    if sum(str(side.path) == STANDARD_INPUT for side in sides) > 1:
        raise HyperbatonError("standard input (-) can be only one of the files")
    if len(sides) == 1:
        yield from sides[0].items()
        return
    streams = [side.items() for side in sides]
    number = 0
    try:
        while True:
            row = [next(stream, None) for stream in streams]
            present = [item for item in row if item is not None]
            if not present:
                return
            if len(present) < len(row):
                raise HyperbatonError(_uneven(sides, streams, row, number))
            number += 1
            yield _item(sides, present, number)
    finally:
        for stream in streams:
            stream.close()  # type: ignore[attr-defined]


def _item(sides: Sequence[Side], row: Sequence[Item], number: int) -> Item:
    for kind in ("conllu", "sgm"):
        _agree([(s, i) for s, i in zip(sides, row, strict=True) if s.kind == kind], number)
    columns = {f"reference{i}": item.source_text for i, item in enumerate(row[2:], 2)}
    for item in reversed(row):
        columns.update(item.columns)
    reference: Text | None = row[1].source if len(row) > 1 else None
    ids = (item.id for side, item in zip(sides, row, strict=True) if side.kind == "conllu")
    place = next((item.place for item in row if item.place), "")
    return Item(next(ids, str(number)), row[0].source, reference, columns, place)


def _agree(row: Sequence[tuple[Side, Item]], number: int) -> None:
    """Refuse items that their files have different names for."""
    named = {name: side for side, item in row if (name := side.name(item)) is not None}
    if len(named) > 1:
        (one, first), (other, second) = list(named.items())[:2]
        raise HyperbatonError(
            f"item {number} is '{one}' in {shown(first.path)} but '{other}' in "
            f"{shown(second.path)}; the files must hold the same items in the same order"
        )


def _uneven(
    sides: Sequence[Side],
    streams: Sequence[Iterator[Item]],
    row: Sequence[Item | None],
    number: int,
) -> str:
    """Which file holds how much; the longer ones are counted to their end."""
    counts = []
    for side, stream, item in zip(sides, streams, row, strict=True):
        count = number if item is None else number + 1 + sum(1 for _ in stream)
        counts.append(f"{shown(side.path)} has {count} {side.unit}")
    return f"{' but '.join(counts)}; line-aligned files must be equally long"
