"""The texts that a metric compares: as many hypotheses as references, each of them a string."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hyperbaton.base.errors import HyperbatonError

__all__ = ["Segments"]


@dataclass(frozen=True)
class Segments:
    """A batch of pairs, checked; `sources` only where a metric reads the source text too."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    sources: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for name, column in self._columns():
            if isinstance(column, str):
                raise HyperbatonError(f"{name} are one string: give a list of texts, ['…']")
            if len(column) != len(self.hypotheses):
                raise HyperbatonError(
                    f"{len(self.hypotheses):,} hypotheses but {len(column):,} {name}: "
                    "give one for each hypothesis, in the same order"
                )
            _refuse_gaps(name, column)

    def _columns(self) -> list[tuple[str, Sequence[str]]]:
        columns = [("hypotheses", self.hypotheses), ("references", self.references)]
        return columns if self.sources is None else [*columns, ("sources", self.sources)]

    def __len__(self) -> int:
        return len(self.hypotheses)

    def swapped(self) -> Segments:
        """Hypotheses and references with their roles exchanged."""
        return Segments(self.references, self.hypotheses, self.sources)

    def parts(self, pairs: int = 1 << 14, characters: int = 1 << 21) -> Iterator[Segments]:
        """The same pairs in batches of limited size, so that memory stays flat.

        >>> [len(part) for part in Segments(["a b"] * 4, ["c d"] * 4).parts(characters=12)]
        [2, 2]
        """
        if len(self) <= pairs and self._characters(0, len(self)) <= characters:
            yield self
            return
        start = 0
        while start < len(self):
            stop = min(start + pairs, len(self))
            while stop - start > 1 and self._characters(start, stop) > characters:
                stop = (start + stop) // 2
            cut = slice(start, stop)
            sources = None if self.sources is None else self.sources[cut]
            yield Segments(self.hypotheses[cut], self.references[cut], sources)
            start = stop

    def _characters(self, start: int, stop: int) -> int:
        return sum(map(len, self.hypotheses[start:stop])) + sum(
            map(len, self.references[start:stop])
        )


def _refuse_gaps(name: str, column: Sequence[str]) -> None:
    if all(issubclass(kind, str) for kind in set(map(type, column))):
        return
    at, wrong = next((i, x) for i, x in enumerate(column) if not isinstance(x, str))
    what = "missing (None)" if wrong is None else f"of type {type(wrong).__name__}"
    raise HyperbatonError(
        f"number {at + 1} of the {name} is {what}: give a string, '' for an empty text"
    )
