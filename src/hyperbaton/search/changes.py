"""A change of a text: pieces rewritten and words in another order; each part can be undone.

Its printed form is a row of steps, which read back and make the same change of the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Registry, Spec
from hyperbaton.language.sentence import Order
from hyperbaton.search.words import Words

MIXED = "mixed"
"""The kind of a change whose steps are of several kinds."""


@dataclass(frozen=True)
class Step(Spec):
    """The characters `old`, which start at the place `at` of the text, become `new`."""

    at: int
    old: str
    new: str


class Letter(Step):
    """A letter of a word is missing, doubled, another one, or changes places with the next."""

    name: ClassVar[str] = "letter"


class Capital(Step):
    """A word in capitals, or in small letters."""

    name: ClassVar[str] = "case"


class FinalMark(Step):
    """The mark at the end is missing, another one or doubled."""

    name: ClassVar[str] = "final-mark"


class Mark(Step):
    """A comma, an apostrophe, a hyphen or a quotation mark is missing or written in another way."""

    name: ClassVar[str] = "mark"


class Space(Step):
    """A space is missing, doubled, of another kind, or where none should be."""

    name: ClassVar[str] = "space"


class Word(Step):
    """A word stands twice."""

    name: ClassVar[str] = "word"


class Swap(Step):
    """Words in another order."""

    name: ClassVar[str] = "order"


class Learner(Step):
    """What a learner may write: another article or none, a wrong form, a spelling by ear."""

    name: ClassVar[str] = "learner"


STEPS: Registry[Step] = Registry(
    "step",
    {cls.name: f"{__name__}:{cls.__name__}" for cls in Step.__subclasses__()},
)
ORDER = Swap.name
_STEP = re.compile(r"""[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^()"])*\)""")


def kind_text(name: str) -> str:
    """The name of a kind for a reader.

    >>> kind_text("final-mark")
    'final mark'
    """
    return name.replace("-", " ")


def read_steps(text: str) -> tuple[Step, ...]:
    """The steps of a printed change.

    >>> steps = read_steps('letter(at=2, old=red, new=rde) + mark(at=9, old=",", new="")')
    >>> [step.new for step in steps]
    ['rde', '']
    """
    steps = tuple(STEPS.parse(match[0]) for match in _STEP.finditer(text))
    if not steps or " + ".join(map(str, steps)) != text:
        raise HyperbatonError(f"'{text}' is no change: write steps with ' + ' between them")
    return steps


def take(steps: Sequence[Step], source: str) -> str:
    """The text after the steps.

    >>> take(read_steps("letter(at=2, old=red, new=rde)"), "a red house")
    'a rde house'
    """
    for step in sorted(steps, key=lambda step: (step.at, len(step.old)), reverse=True):
        end = step.at + len(step.old)
        if source[step.at : end] != step.old:
            raise HyperbatonError(f"'{step}': the text has no '{step.old}' there")
        source = source[: step.at] + step.new + source[end:]
    return source


@dataclass(frozen=True, order=True)
class Edit:
    """One piece of a text rewritten: the piece with this number becomes `new`."""

    place: int
    new: str
    kind: str


@dataclass(frozen=True)
class Change:
    """Pieces of a text rewritten, and its words then put in an order; empty where it stays."""

    edits: tuple[Edit, ...] = ()
    order: Order = ()

    @cached_property
    def size(self) -> int:
        """The steps: pieces rewritten, and swaps of neighbours that the order takes."""
        order = self.order
        return len(self.edits) + sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])

    @cached_property
    def kind(self) -> str:
        """What is changed."""
        kinds = {edit.kind for edit in self.edits} | ({ORDER} if self.order else set())
        return kinds.pop() if len(kinds) == 1 else MIXED

    @cached_property
    def places(self) -> frozenset[int]:
        """The pieces that it touches."""
        moved = {2 * i + 1 for i, word in enumerate(self.order) if i != word}
        return frozenset(moved | {edit.place for edit in self.edits})

    def pieces(self, words: Words) -> list[str]:
        """The pieces of the text after the change; a word that is gone takes a space with it."""
        pieces = list(words.pieces)
        for edit in self.edits:
            pieces[edit.place] = edit.new
        if self.order:
            pieces[1::2] = [pieces[2 * i + 1] for i in self.order]
        for place in range(1, len(pieces), 2):
            if not pieces[place]:
                before, after = pieces[place - 1], pieces[place + 1]
                if after[:1].isspace():
                    pieces[place + 1] = after[1:]
                elif before[-1:].isspace():
                    pieces[place - 1] = before[:-1]
        return pieces

    def text(self, words: Words) -> str:
        """The text after the change."""
        return "".join(self.pieces(words))

    def steps(self, words: Words) -> tuple[Step, ...]:
        """The same as steps, each of one kind, of characters of the text."""
        before, after = words.pieces, self.pieces(words)
        kinds = {edit.place: edit.kind for edit in self.edits}
        groups: list[tuple[int, int, str]] = []
        at = 0
        blocks = {2 * start + 1: 2 * end for start, end in moving_blocks(self.order)}
        while at < len(before):
            if at in blocks:
                groups.append((at, blocks[at], ORDER))
                at = blocks[at]
                continue
            if before[at] != after[at]:
                # A gap changes for a word beside it that is gone.
                kind = kinds.get(at) or kinds.get(at - 1) or kinds.get(at + 1) or ORDER
                groups.append((at, at + 1, kind))
            at += 1
        starts = [0]
        for piece in before:
            starts.append(starts[-1] + len(piece))
        return tuple(
            STEPS.get(kind)(starts[a], "".join(before[a:b]), "".join(after[a:b]))
            for a, b, kind in groups
        )

    def smaller(self) -> Iterator[Change]:
        """The same with one step undone: each of its parts in turn."""
        for skipped in range(len(self.edits)):
            yield Change(self.edits[:skipped] + self.edits[skipped + 1 :], self.order)
        for i, (left, right) in enumerate(pairwise(self.order)):
            if left > right:
                order = (*self.order[:i], right, left, *self.order[i + 2 :])
                yield Change(self.edits, order if order != tuple(sorted(order)) else ())

    def halves(self) -> Iterator[Change]:
        """The same with many steps undone, which are tried first where there are many."""
        if len(self.edits) > 2:
            middle = len(self.edits) // 2
            yield Change(self.edits[:middle], self.order)
            yield Change(self.edits[middle:], self.order)
        if self.edits and self.order:
            yield Change(self.edits)
            yield Change((), self.order)
        size = window = len(self.order)
        while window > 3:
            window = (window + 1) // 2
            for start in range(0, size, window):
                inside = sorted(self.order[start : start + window])
                order = (*self.order[:start], *inside, *self.order[start + window :])
                if order != self.order:
                    yield Change(self.edits, order if order != tuple(sorted(order)) else ())

    def within(self, words: Words, start: int, end: int) -> Change | None:
        """The same change of the words from `start` to `end`; None where it reaches beyond."""
        last = len(words.pieces) - 1
        ends = {0: 0, last: 2 * (end - start)}
        edits = []
        for edit in self.edits:
            inner = 2 * start < edit.place < 2 * end
            place = edit.place - 2 * start if inner else ends.get(edit.place)
            if place is None:
                return None
            new = edit.new
            if start and place == 1 and edit.kind != Capital.name and words.words[0][:1].isupper():
                new = new[:1].upper() + new[1:]
            edits.append(Edit(place, new, edit.kind))
        inside = tuple(i - start for i in self.order if start <= i < end)
        moved = [i for i, word in enumerate(self.order) if i != word]
        if moved and not start <= moved[0] <= moved[-1] < end:
            return None
        return Change(tuple(edits), inside if inside != tuple(sorted(inside)) else ())


def swapped(count: int, first: int, second: int) -> Order:
    """The order of so many words in which one stands at the place of another, and that at its."""
    order = list(range(count))
    order[first], order[second] = order[second], order[first]
    return tuple(order)


def moving_blocks(order: Order) -> list[tuple[int, int]]:
    """The shortest half-open spans of places whose words only move among themselves.

    >>> moving_blocks((1, 0, 2, 4, 5, 3))
    [(0, 2), (3, 6)]
    """
    blocks, start, highest = [], 0, -1
    for i, word in enumerate(order):
        highest = max(highest, word)
        if highest == i:
            if i > start:
                blocks.append((start, i + 1))
            start = i + 1
    return blocks


def both(one: Change, other: Change) -> Change | None:
    """Two changes in one, where they touch other pieces."""
    written = {edit.place: edit.new for edit in one.edits}
    gone = {e.place for e in one.edits + other.edits if not e.new and e.place % 2}
    for edit in other.edits:
        if edit.place in written or gone & {edit.place - 1, edit.place + 1}:
            return None
    if gone & {place + d for place in written for d in (-1, 1)}:
        return None
    if one.order and other.order and one.places & other.places:
        return None
    order = tuple(one.order[i] for i in other.order) if one.order and other.order else ()
    return Change(tuple(sorted(one.edits + other.edits)), order or one.order or other.order)
