"""M2: learner sentences with the edits of one or several annotators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hyperbaton.corpus.compression import shown
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import Line, read_lines
from hyperbaton.errors import HyperbatonError

__all__ = ["Edit", "Learner", "read_m2", "read_m2_items"]

NOT_APPLICABLE = frozenset({"noop", "UNK", "Um"})
"""Types that correct nothing: no error, an error nobody could correct, unclear meaning."""


@dataclass(frozen=True)
class Edit:
    """The words [start, end) should be `correction`, an empty one meaning that they go."""

    start: int
    end: int
    type: str
    correction: str
    annotator: int = 0

    @property
    def applies(self) -> bool:
        """Whether there is something to correct."""
        return self.type not in NOT_APPLICABLE


@dataclass(frozen=True)
class Learner:
    """A sentence as it was written, with the edits of all its annotators.

    >>> she = Learner("1", ("She", "go", "the", "home"),
    ...     (Edit(1, 2, "R:VERB:SVA", "goes"), Edit(2, 3, "U:DET", "")))
    >>> she.corrected()
    ('She', 'goes', 'home')
    """

    id: str
    words: tuple[str, ...]
    edits: tuple[Edit, ...]

    @property
    def annotators(self) -> tuple[int, ...]:
        """Who looked at the sentence, those who found nothing to correct included."""
        return tuple(sorted({edit.annotator for edit in self.edits}))

    def applicable(self, annotator: int = 0) -> tuple[Edit, ...]:
        """The edits of one annotator that change something, from left to right."""
        mine = (e for e in self.edits if e.annotator == annotator and e.applies)
        return tuple(sorted(mine, key=lambda e: (e.start, e.end)))

    def corrected(self, annotator: int = 0, only: Edit | None = None) -> tuple[str, ...]:
        """The words after one annotator's edits, or after a single one of them."""
        edits = self.applicable(annotator) if only is None else (only,)
        words: list[str] = []
        at = 0
        for edit in edits:
            words += self.words[at : edit.start]
            words += edit.correction.split()
            at = edit.end
        return (*words, *self.words[at:])


def read_m2(path: str | Path) -> Iterator[Learner]:
    """The sentences of an M2 file, numbered from 1."""
    number = 0
    block: list[Line] = []
    for line in read_lines(path):
        if line.text.strip():
            block.append(line)
        elif block:
            number += 1
            yield _learner(block, str(number), shown(path))
            block = []
    if block:
        yield _learner(block, str(number + 1), shown(path))


def read_m2_items(path: str | Path, annotator: int = 0) -> Iterator[Item]:
    """M2 as a corpus of pairs: as written, and as one annotator corrected it."""
    for learner in read_m2(path):
        yield Item(learner.id, " ".join(learner.words), " ".join(learner.corrected(annotator)))


def _learner(block: list[Line], number: str, file: str) -> Learner:
    first = block[0]
    if first.text != "S" and not first.text.startswith("S "):
        raise HyperbatonError(
            f"{file}, line {first.number}: a sentence of an M2 file begins with 'S ', "
            f"not '{first.text[:20]}'"
        )
    words = tuple(first.text[2:].split())
    edits = tuple(_edit(line, len(words), file) for line in block[1:])
    learner = Learner(number, words, edits)
    for annotator in learner.annotators:
        for left, right in pairwise(learner.applicable(annotator)):
            if right.start < left.end:
                raise HyperbatonError(
                    f"{file}, line {first.number}: the edits {left.start} {left.end} and "
                    f"{right.start} {right.end} of annotator {annotator} overlap"
                )
    return learner


def _edit(line: Line, size: int, file: str) -> Edit:
    where = f"{file}, line {line.number}"
    fields = line.text[2:].split("|||")
    if not line.text.startswith("A ") or len(fields) != 6:
        raise HyperbatonError(
            f"{where}: an edit is written 'A start end|||type|||correction|||…|||…|||annotator'"
        )
    try:
        start, end = map(int, fields[0].split())
        annotator = int(fields[5])
    except ValueError:
        raise HyperbatonError(f"{where}: start, end and annotator must be whole numbers") from None
    kind = fields[1].strip()
    if kind != "noop" and not 0 <= start <= end <= size:
        raise HyperbatonError(
            f"{where}: the edit {start} {end} lies outside the sentence of {size} words"
        )
    correction = fields[2].split("||")[0].strip()
    return Edit(start, end, kind, "" if correction == "-NONE-" else correction, annotator)
