"""M2: learner sentences with the edits of one or several annotators."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import Line, read_line_blocks, shown

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

    def corrected(self, annotator: int = 0) -> tuple[str, ...]:
        """The words after one annotator's edits.

        They are applied from right to left, so that the places of the others stay true.
        """
        words = list(self.words)
        for edit in reversed(self.applicable(annotator)):
            words[edit.start : edit.end] = edit.correction.split()
        return tuple(words)

    def left_out(self, annotator: int = 0) -> str:
        """Why one annotator's correction of this sentence does not count; empty where it does."""
        mine = [edit for edit in self.edits if edit.annotator == annotator]
        if self.edits and not mine:
            return f"annotator {annotator} did not see it"
        if not any(edit.applies for edit in mine):
            kinds = sorted({edit.type for edit in mine} - {"noop"})
            return f"only {' and '.join(kinds)} edits" if kinds else "no error"
        corrected = self.corrected(annotator)
        if not corrected:
            return "nothing is left of it"
        return "its edits change nothing" if corrected == self.words else ""


def read_m2(path: str | Path) -> Iterator[Learner]:
    """The sentences of an M2 file, numbered from 1."""
    for number, block in enumerate(read_line_blocks(path), 1):
        yield _learner(block, str(number), shown(path))


def read_m2_items(path: str | Path) -> Iterator[Item]:
    """M2 as probes: the corrected sentence as source, the sentence as written as `varied`.

    Of several annotators the first is taken. The column `edits` holds the edits that were applied,
    as JSON lists of start, end, type and correction in words of the sentence as written; `types`
    their types; `left_out` why a sentence has no such edit.
    """
    for learner in read_m2(path):
        edits = learner.applicable()
        columns = {
            "varied": " ".join(learner.words),
            "annotator": "0",
            "types": " ".join(edit.type for edit in edits),
            "edits": json.dumps(
                [[e.start, e.end, e.type, e.correction] for e in edits], ensure_ascii=False
            ),
            "left_out": learner.left_out(),
        }
        name = f"{learner.id}.0" if len(learner.annotators) > 1 else learner.id
        yield Item(name, " ".join(learner.corrected()), None, columns)


def _learner(block: list[Line], number: str, file: str) -> Learner:
    first = block[0]
    if first.text != "S" and not first.text.startswith("S "):
        raise HyperbatonError(
            f"{file}, line {first.number}: a sentence of an M2 file begins with 'S ', "
            f"not '{first.text[:20]}'"
        )
    words = tuple(first.text[2:].split())
    learner = Learner(number, words, tuple(_edit(line, len(words), file) for line in block[1:]))
    for annotator in learner.annotators:
        for left, right in pairwise(learner.applicable(annotator)):
            if right.start < left.end:
                at = max(first.number + 1 + learner.edits.index(edit) for edit in (left, right))
                raise HyperbatonError(
                    f"{file}, line {at}: the edits {left.start} {left.end} and {right.start} "
                    f"{right.end} of annotator {annotator} overlap; keep one of them"
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
        start, end = (int(number[:9]) for number in fields[0].split())
        annotator = int(fields[5][:9])
    except ValueError:
        raise HyperbatonError(f"{where}: start, end and annotator must be whole numbers") from None
    kind = fields[1].strip()
    if kind != "noop" and not 0 <= start <= end <= size:
        raise HyperbatonError(
            f"{where}: the edit {start} {end} lies outside the sentence of {counted(size, 'word')}"
        )
    correction = fields[2].split("||")[0].strip()
    return Edit(start, end, kind, "" if correction == "-NONE-" else correction, annotator)
