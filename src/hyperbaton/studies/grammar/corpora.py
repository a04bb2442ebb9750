"""Learners' sentences beside their corrections: M2, aligned files, the set that ships."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from heapq import nsmallest
from itertools import islice
from pathlib import Path

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.m2 import Edit, Learner, read_m2
from hyperbaton.corpus.named import NamedCorpus
from hyperbaton.language.detokenise import detokenised
from hyperbaton.pipeline.corpora import Corpus, identity_of
from hyperbaton.pipeline.design import Pair

SHIPPED = DATA / "learner" / "learner.m2"
"""English sentences with learners' errors that come with the package."""
PUT_TOGETHER = "tokenised words put together"
AS_THEY_ARE = "lines as they are"
_FINAL = frozenset((".", "?", "!", "...", "?!", "!!", "??"))
Kept = Iterator[tuple[str, Item | None]]
"""Each sentence as an item, or None and the reason why it is left out."""


@dataclass(frozen=True)
class _Learners(Corpus):
    """Sentences of which those without a correction are left out and counted."""

    pair: Pair
    paths: tuple[Path, ...]
    limit: int | None = None
    sample: int = 0
    """How many sentences to draw, each with all its corrections; 0 takes all."""
    seed: int = 0

    def __post_init__(self) -> None:
        for path in self.paths:
            if not path.is_file():
                raise HyperbatonError(f"there is no file {path}")

    @abstractmethod
    def _kept(self) -> Kept:
        """Every sentence of the files."""

    @property
    def _names(self) -> str:
        """What the corpus is called."""
        return " + ".join(path.name for path in self.paths)

    @property
    def _read_as(self) -> str:
        """What is done with the words before a translator sees them."""
        return PUT_TOGETHER

    def items(self) -> Iterator[Item]:
        """The corrected sentence as the source, the sentence as written in the column varied."""
        kept = (item for _, item in self._kept() if item is not None)
        if self.sample:
            kept = (item for item in kept if item.columns["varied"] in self._drawn)
        return islice(kept, self.limit)

    @cached_property
    def _drawn(self) -> frozenset[str]:
        """The sentences as written that the draw took; a larger draw has those of a smaller one."""
        texts = {item.columns["varied"] for _, item in self._kept() if item is not None}
        return frozenset(nsmallest(self.sample, texts, key=lambda text: _lot(self.seed, text)))

    @cached_property
    def dropped(self) -> Counter[str]:
        """How many sentences were left out, by reason."""
        return Counter(reason for reason, item in self._kept() if item is None)

    @property
    def identity(self) -> str:
        """The names of the files, what was left out, and a hash."""
        some = f", {counted(self.sample, 'sentence')} at random (seed {self.seed})" * bool(
            self.sample
        )
        left = "".join(f"; left out: {n:,} ({why})" for why, n in sorted(self.dropped.items()))
        content = fingerprint(self.paths)
        return identity_of(f"{self._names}{some}", self.limit, content, f", {self._read_as}{left}")


@dataclass(frozen=True)
class M2(_Learners):
    """An M2 file; of several annotators all or one, each correction an item of its own."""

    annotator: str = "all"

    def _kept(self) -> Kept:
        for learner in read_m2(self.paths[0]):
            there = learner.annotators or (0,)
            chosen = there if self.annotator == "all" else (int(self.annotator),)
            for annotator in chosen:
                name = learner.id if len(there) == 1 else f"{learner.id}.{annotator}"
                reason = learner.left_out(annotator)
                yield reason, None if reason else self._item(name, learner, annotator)

    def _item(self, name: str, learner: Learner, annotator: int) -> Item:
        clean, language = learner.corrected(annotator), self.pair.source
        edits, written = learner.applicable(annotator), detokenised(learner.words, language)
        columns = columns_of(written, learner.words, clean, edits)
        return Item(name, detokenised(clean, language), None, columns)


@dataclass(frozen=True)
class Aligned(_Learners):
    """Sentences as written, and as corrected once or several times, line by line."""

    tokenised: bool = False
    """Whether the words stand apart, as `it is n't .`, and are put together for a translator."""

    def _kept(self) -> Kept:
        readers = [iter(read_lines(path)) for path in self.paths]
        number = 0
        while True:
            lines = [next(reader, None) for reader in readers]
            if all(line is None for line in lines):
                return
            number += 1
            if any(line is None for line in lines):
                short = next(p for p, line in zip(self.paths, lines, strict=True) if line is None)
                raise HyperbatonError(
                    f"{short} ends before line {number}: the files must be aligned"
                )
            written, *corrections = (line.text for line in lines if line is not None)
            for which, right in enumerate(corrections):
                name = str(number) if len(corrections) == 1 else f"{number}.{which}"
                if not written.strip() or not right.strip():
                    yield "an empty line", None
                elif self._same(written, right):
                    yield "no error", None
                else:
                    yield "", self._item(name, written, right)

    @property
    def _read_as(self) -> str:
        return PUT_TOGETHER if self.tokenised else AS_THEY_ARE

    def _same(self, written: str, right: str) -> bool:
        """White space at the ends of a line is no error; between words it may be one."""
        if self.tokenised:
            return written.split() == right.split()
        return written.strip() == right.strip()

    def _item(self, name: str, written: str, right: str) -> Item:
        if not self.tokenised:
            return Item(name, right, None, {"varied": written})
        clean, noisy = right.split(), written.split()
        columns = columns_of(detokenised(noisy, self.pair.source), noisy, clean)
        return Item(name, detokenised(clean, self.pair.source), None, columns)


@dataclass(frozen=True)
class Twins(_Learners):
    """A corpus that holds sentences twice, with their noise and without, as they are."""

    _read_as = AS_THEY_ARE

    corpus: NamedCorpus = field(kw_only=True)

    @classmethod
    def of(
        cls,
        corpus: NamedCorpus,
        pair: Pair,
        limit: int | None = None,
        sample: int = 0,
        seed: int = 0,
    ) -> Twins:
        """The twins of a corpus by name."""
        files = tuple(corpus.files(pair.source, pair.target))
        return cls(pair, files, limit, sample, seed, corpus=corpus)

    @property
    def recordings(self) -> tuple[Path, dict[str, Path]] | None:
        return self.corpus.recordings(self.pair.source, self.pair.target)

    @property
    def _names(self) -> str:
        return self.corpus.label

    def _kept(self) -> Kept:
        for clean, noisy in self.corpus.twins(self.pair.source, self.pair.target):
            if noisy is None:
                yield "documents whose two versions differ in length", None
            elif clean.source == noisy.source:
                yield "no error", None
            else:
                columns = {**clean.columns, "varied": noisy.source_text}
                yield "", Item(f"{clean.id}/{noisy.id}", clean.source, None, columns, noisy.place)


def _lot(seed: int, text: str) -> bytes:
    """What a sentence drew: the smallest are taken."""
    return blake2b(f"{seed}\t{text}".encode(), digest_size=16).digest()


def looks_tokenised(path: Path) -> bool:
    """Whether most lines at the head of a file that end in a mark have a space before it."""
    ends = [line.text.split()[-2:] for line in islice(read_lines(path), 100) if line.text.strip()]
    marks = [end for end in ends if end[-1][-1] in ".?!"]
    apart = [end for end in marks if end[-1] in _FINAL]
    return 2 * len(apart) > len(marks)


def columns_of(
    written: str,
    noisy: Sequence[str],
    clean: Sequence[str],
    edits: Sequence[Edit] | None = None,
) -> dict[str, str]:
    """The columns of an item: the text as written, the words of both sides, the edits."""
    columns = {
        "varied": written,
        "noisy_words": json.dumps(noisy),
        "clean_words": json.dumps(clean),
    }
    if edits is not None:
        columns["edits"] = json.dumps([(e.start, e.end, e.type, e.correction) for e in edits])
    return columns


def edits_of(item: Item) -> list[Edit] | None:
    """The edits that came with an item; None where they are still to be found."""
    if "edits" not in item.columns:
        return None
    return [Edit(*edit) for edit in json.loads(item.columns["edits"])]


def words_of(item: Item) -> tuple[list[str], list[str]] | None:
    """The words that an item came with, as written and as corrected; None for lines of text."""
    if "noisy_words" not in item.columns:
        return None
    return json.loads(item.columns["noisy_words"]), json.loads(item.columns["clean_words"])
