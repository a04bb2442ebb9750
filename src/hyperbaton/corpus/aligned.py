"""Files that belong together line by line: a source and its references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hyperbaton.corpus.compression import STANDARD_INPUT, shown
from hyperbaton.corpus.conllu import Group, read_conllu
from hyperbaton.corpus.item import Item, Text
from hyperbaton.corpus.lines import read_lines
from hyperbaton.errors import HyperbatonError

__all__ = ["Side", "read_aligned", "read_text"]


@dataclass(frozen=True)
class Side:
    """One of the files: plain text, or CoNLL-U with the language that its words are in."""

    path: str | Path
    parsed: bool = False
    language: str | None = None
    group: Group = "item"

    def items(self) -> Iterator[Item]:
        """The items of this file alone."""
        if self.parsed:
            return read_conllu(self.path, self.language, self.group)
        return read_text(self.path)

    @property
    def unit(self) -> str:
        """What the file is counted in."""
        return "items" if self.parsed else "lines"


def read_text(path: str | Path) -> Iterator[Item]:
    """One item per line; its id is the number of the line."""
    for line in read_lines(path):
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
    ids = {item.id: side for side, item in zip(sides, row, strict=True) if side.parsed}
    if len(ids) > 1:
        (one, first), (other, second) = list(ids.items())[:2]
        raise HyperbatonError(
            f"item {number} is '{one}' in {shown(first.path)} but '{other}' in "
            f"{shown(second.path)}; the files must hold the same items in the same order"
        )
    columns = {f"reference{i}": item.source_text for i, item in enumerate(row[2:], 2)}
    for item in reversed(row):
        columns.update(item.columns)
    reference: Text | None = row[1].source if len(row) > 1 else None
    return Item(next(iter(ids), str(number)), row[0].source, reference, columns)


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
