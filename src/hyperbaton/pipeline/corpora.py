"""The corpora of a run: items of one language pair, each with an id of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import STANDARD_INPUT
from hyperbaton.pipeline.design import Pair


class Corpus(ABC):
    """Items in one pair of languages, which can be read again from the start."""

    pair: Pair

    @property
    def recordings(self) -> tuple[Path, dict[str, Path]] | None:
        """A file of texts, and by name the files of their translations, where there are such."""
        return None

    @abstractmethod
    def items(self) -> Iterator[Item]:
        """The items in their order."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """What it is called, with a hash that changes with its content."""


@dataclass(frozen=True)
class Files(Corpus):
    """Line-aligned files, or one table; `limit` takes the first items only."""

    pair: Pair
    paths: tuple[str, ...]
    limit: int | None = None

    def __post_init__(self) -> None:
        for path in self.paths:
            if path == STANDARD_INPUT:
                raise HyperbatonError("a run reads its corpus more than once: save it to a file")

    def items(self) -> Iterator[Item]:
        from hyperbaton.corpus.opening import open_corpus

        read = open_corpus(*self.paths, languages=[self.pair.source, self.pair.target])
        return islice(read, self.limit)

    @property
    def recordings(self) -> tuple[Path, dict[str, Path]] | None:
        from hyperbaton.corpus.named import named_corpus

        named = named_corpus(self.paths[0])
        return named.recordings(self.pair.source, self.pair.target) if named else None

    @property
    def identity(self) -> str:
        from hyperbaton.corpus.named import named_corpus

        named = [(path, named_corpus(path)) for path in self.paths]
        names = [corpus.label if corpus else Path(path).name for path, corpus in named]
        files = [Path(path) for path in self.paths if ":" not in path or Path(path).is_file()]
        languages = self.pair.source, self.pair.target
        files += [file for _, corpus in named if corpus for file in corpus.files(*languages)]
        for path in files:
            if not path.is_file():
                raise HyperbatonError(f"there is no file {path}")
        return identity_of(" + ".join(names), self.limit, fingerprint(files))


@dataclass(frozen=True)
class Starter(Corpus):
    """The corpus that comes with the package, all of it or the first items."""

    pair: Pair
    limit: int | None = None

    def items(self) -> Iterator[Item]:
        from hyperbaton.corpus.starter import starter

        return iter(starter(self.pair.source, self.pair.target, self.limit))

    @property
    def identity(self) -> str:
        from hyperbaton.corpus.starter import starter_file

        digest = fingerprint([starter_file(self.pair.source), starter_file(self.pair.target)])
        return identity_of("starter", self.limit, digest)


@dataclass(frozen=True)
class Items(Corpus):
    """Items that are in memory already."""

    pair: Pair
    sequence: Sequence[Item]

    @classmethod
    def of(
        cls,
        pair: Pair,
        sources: Sequence[str],
        references: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Items:
        """Items of texts, numbered from 1 as the lines of a file are."""
        if references is None:
            return cls(pair, [Item(str(n), s) for n, s in enumerate(islice(sources, limit), 1)])
        if len(sources) != len(references):
            raise HyperbatonError(
                f"{counted(len(sources), 'source')} but {counted(len(references), 'reference')}"
            )
        both = islice(zip(sources, references, strict=True), limit)
        return cls(pair, [Item(str(n), s, r) for n, (s, r) in enumerate(both, 1)])

    def items(self) -> Iterator[Item]:
        return iter(self.sequence)

    @property
    def identity(self) -> str:
        digest = blake2b(digest_size=8)
        for item in self.sequence:
            row = (item.id, item.source, item.reference, sorted(item.columns.items()))
            digest.update(repr(row).encode())
        return f"{len(self.sequence)} items ({digest.hexdigest()})"


def identity_of(name: str, limit: int | None, content: str, how: str = "") -> str:
    """What a corpus is called, what is taken of it and how, and a hash of what it is made of.

    >>> identity_of("news.tsv", 5, "0e2a")
    'news.tsv, the first 5 (0e2a)'
    """
    some = "" if limit is None else f", the first {limit}"
    return f"{name}{some}{how} ({content})"


Hashes = NDArray[np.int64]
Numbered = tuple[int, Item]


def count_items(corpus: Corpus) -> int:
    """How many items a corpus has; two of one id are refused with the places of both.

    Eight bytes are kept of an id; the texts of ids that seem to come again are looked up by
    reading the corpus once more.
    """
    kept = array("q", (hash(item.id) for item in corpus.items()))
    hashes = np.frombuffer(kept, np.int64)
    hashes.sort()
    again = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
    if not len(again):
        return len(kept)
    for number, value in enumerate(_in_order(corpus, again)):
        both = _pair(corpus, value)
        if both is not None:
            raise HyperbatonError(_refusal(corpus, *both, len(again) - number - 1))
    return len(kept)


def _in_order(corpus: Corpus, again: Hashes) -> Iterator[int]:
    """The hashes that come again, in the order of the corpus."""
    left = again
    for item in corpus.items():
        value = hash(item.id)
        if _among(value, left):
            left = left[left != value]
            yield value


def _pair(corpus: Corpus, value: int) -> tuple[Numbered, Numbered] | None:
    """The first two items of one id with this hash; None where two ids share it."""
    known: dict[str, Numbered] = {}
    for number, item in enumerate(corpus.items(), 1):
        if hash(item.id) == value:
            if item.id in known:
                return known[item.id], (number, item)
            known[item.id] = number, item
    return None


def _among(value: int, ordered: Hashes) -> bool:
    at = int(np.searchsorted(ordered, value))
    return at < len(ordered) and int(ordered[at]) == value


def _refusal(corpus: Corpus, first: Numbered, second: Numbered, others: int) -> str:
    places = [item.place or f"item {number} of {corpus.pair}" for number, item in (first, second)]
    more = f" (and {counted(others, 'other id')})" if others else ""
    return (
        f"{places[1]}: the id '{first[1].id[:80]}' of {places[0]} comes again{more}; give every "
        "item an id of its own, or remove the ids, and the items are numbered"
    )
