"""Where pairs come from: two aligned files, a labelled table, or the set that is shipped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.fingerprint import fingerprint
from hyperbaton.corpus.aligned import Side, read_aligned
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.paraphrases import FILE, paraphrases, read_labelled_pairs
from hyperbaton.pipeline import Corpus, Pair

__all__ = ["PairedFiles", "ShippedPairs"]


@dataclass(frozen=True)
class PairedFiles(Corpus):
    """Two files of the source language, line by line, or one table in the form of PAWS-X."""

    pair: Pair
    paths: tuple[Path, ...]
    limit: int | None = None

    def __post_init__(self) -> None:
        if len(self.paths) not in (1, 2):
            raise HyperbatonError("pairs come from two aligned files or from one table")
        for path in self.paths:
            if not path.is_file():
                raise HyperbatonError(f"there is no file {path}")

    def items(self) -> Iterator[Item]:
        """Each pair; lines that are empty on either side are left out."""
        return islice(self._all(), self.limit)

    def _all(self) -> Iterator[Item]:
        if len(self.paths) == 1:
            for number, row in enumerate(read_labelled_pairs(self.paths[0]), start=1):
                columns = {"varied": row.second, "label": str(row.label)}
                yield Item(str(number), row.first, None, columns)
            return
        for item in read_aligned([Side(path) for path in self.paths]):
            varied = item.reference_text or ""
            if item.source_text.strip() and varied.strip():
                yield Item(item.id, item.source_text, None, {"varied": varied})

    @property
    def identity(self) -> str:
        """The names of the files and a hash of what is in them."""
        names = " + ".join(path.name for path in self.paths)
        some = "" if self.limit is None else f", the first {self.limit}"
        return f"{names}{some} ({fingerprint(self.paths)})"


@dataclass(frozen=True)
class ShippedPairs(Corpus):
    """The pairs that come with the package, with references."""

    pair: Pair
    limit: int | None = None

    def items(self) -> Iterator[Item]:
        """The pairs in their order."""
        return islice(paraphrases(self.pair.source, self.pair.target), self.limit)

    @property
    def identity(self) -> str:
        """Its name and a hash of its file."""
        some = "" if self.limit is None else f", the first {self.limit}"
        return f"paraphrases{some} ({fingerprint([FILE])})"
