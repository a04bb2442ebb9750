"""Sentences on a terminal: trees in box characters, and what was moved in colour or brackets."""

from __future__ import annotations

import errno
import os
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Perturbation, Reordering, Variant
from hyperbaton.systems.faults import has_words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Span = tuple[int, int]
_LETTERS = 4
"""Words that begin alike are forms of one, as for the outcome of a sample."""


def console_for(color: str) -> Console:
    """The terminal, or plain text without a line's end anywhere."""
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            """Tell it as every command does; rich would end the process with status 1."""
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    forced = {"always": True, "never": False}.get(color)
    wished = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    terminal = wished if forced is None else forced
    # Nothing is wrapped where nobody looks on; rich would cut at 80 columns.
    width = None if sys.stdout.isatty() else 1_000_000
    return Piped(
        force_terminal=terminal, no_color=not terminal, width=width, highlight=False, emoji=False
    )


def print_named(console: Console, name: str, text: Text) -> None:
    """A name and its text, which is wrapped beside it."""
    from rich.text import Text

    room = max(console.width - len(name), 20)
    for number, line in enumerate(text.wrap(console, room)):
        line.rstrip()
        start = Text(name, style="cyan") if number == 0 else " " * len(name)
        console.print(Text.assemble(start, line), soft_wrap=True)


def varied_text(
    console: Console, sentence: Sentence, perturbation: Perturbation, variant: Variant | None
) -> Text:
    """A variant with what it moved in colour, or moved words in brackets; or why there is none."""
    from rich.text import Text

    if variant is None:
        return Text("does not apply", style="dim")
    if not variant.changed:
        return Text.assemble(variant.text, ("  (unchanged)", "dim"))
    color = not console.no_color
    if variant.order is None or not isinstance(perturbation, Reordering):
        return Text(variant.text)
    if not color and variant.unit != "word":
        return Text(variant.text)
    units = perturbation.units(sentence)
    spans = spans_of([units[i] for i in variant.order], variant.text)
    return mark_spans(variant.text, list(runs_of(moved_units(variant.order), spans)), color)


def mark_spans(plain: str, spans: Sequence[Span], color: bool) -> Text:
    """A text with parts of it in colour or in brackets."""
    from rich.text import Text

    if color:
        text = Text(plain)
        for start, end in spans:
            text.stylize("bold yellow", start, end)
        return text
    for start, end in reversed(spans):
        plain = f"{plain[:start]}[{plain[start:end]}]{plain[end:]}"
    return Text(plain)


def moved_units(order: Sequence[int]) -> frozenset[int]:
    """The places whose units must be lifted out so that the rest stands as it stood.

    The rest is a longest increasing run of the order: a verb that goes to the front counts as
    moved, the words that make way for it do not.

    >>> sorted(moved_units((3, 0, 1, 2, 4)))
    [0]
    """
    tails: list[int] = []  # the least end of an increasing run of each length, as places
    before: list[int] = []
    for place, unit in enumerate(order):
        at = bisect_left(tails, unit, key=order.__getitem__)
        before.append(tails[at - 1] if at else -1)
        tails[at : at + 1] = [place]
    kept = set()
    place = tails[-1] if tails else -1
    while place >= 0:
        kept.add(place)
        place = before[place]
    return frozenset(range(len(order))) - kept


def spans_of(units: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Where the units stand in the text that they make, white space between them passed over.

    >>> spans_of(["go", "Tom", "!"], "go Tom!")
    [(0, 2), (3, 6), (6, 7)]
    """
    spans, at = [], 0
    for unit in units:
        while not text.startswith(unit, at) and text[at : at + 1].isspace():
            at += 1
        spans.append((at, at + len(unit)))
        at += len(unit)
    return spans


def runs_of(moved: frozenset[int], spans: Sequence[Span]) -> Iterator[Span]:
    """The spans of moved units, neighbours that stood together before or not joined to one.

    >>> list(runs_of(frozenset({0, 1, 3}), [(0, 2), (3, 5), (6, 8), (9, 11)]))
    [(0, 5), (9, 11)]
    """
    start = None
    for place in range(len(spans) + 1):
        if place in moved:
            start = place if start is None else start
        elif start is not None:
            yield spans[start][0], spans[place - 1][1]
            start = None


def moved_and_missing(clean: str, text: str, language: str) -> tuple[list[Span], list[str]]:
    """Where a translation has words that stand elsewhere in the clean one, and which are missing.

    Words are the same in whatever case and form; what is repeated is taken in order.

    >>> text = "Bald Tom ging Hause."
    >>> moved, missing = moved_and_missing("Tom ging bald nach Hause.", text, "de")
    >>> [text[start:end] for start, end in moved], missing
    (['Bald'], ['nach'])
    """
    places: dict[str, list[int]] = defaultdict(list)
    from hyperbaton.alignment.words import cut

    clean_words, words = cut(clean, language), cut(text, language)
    for place, word in enumerate(clean_words):
        if has_words(word):
            places[_form(word)].append(place)
    shared = [  # place here, place in the clean one
        (place, places[_form(word)].pop(0))
        for place, word in enumerate(words)
        if has_words(word) and places[_form(word)]
    ]
    moved = frozenset(shared[i][0] for i in moved_units([place for _, place in shared]))
    missing = sorted(place for left in places.values() for place in left)
    return list(runs_of(moved, spans_of(words, text))), [clean_words[place] for place in missing]


def _form(word: str) -> str:
    return word.casefold()[:_LETTERS]


# Which of the four sides a character joins: 1 up, 2 down, 4 left, 8 right.
_BOX = " │││─┘┐┤─└┌├─┴┬┼"
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8


class _Arc(NamedTuple):
    first: int
    last: int
    dependent: int


def draw_arcs(heads: Sequence[int]) -> list[str]:
    """The arcs from heads to dependents beside the words, which stand to their left.

    >>> print(*draw_arcs((1, 1, 1, 2)), sep="\\n")
    ◂┐
    ─┴┐
    ◂┬┘
    ◂┘
    """
    arcs = [_Arc(min(i, h), max(i, h), i) for i, h in enumerate(heads) if h != i]
    levels = _levels(arcs)
    width = max(levels.values(), default=0)
    grid = [[0] * (width + 1) for _ in heads]
    for arc, level in levels.items():
        for row in range(arc.first, arc.last + 1):
            if row > arc.first:
                grid[row][level] |= _UP
            if row < arc.last:
                grid[row][level] |= _DOWN
        for row in (arc.first, arc.last):
            grid[row][level] |= _LEFT
            for column in range(level):
                grid[row][column] |= _LEFT | _RIGHT
    lines = ["".join(_BOX[cell] for cell in row) for row in grid]
    return [
        ("◂" + line[1:] if head != i else line).rstrip()
        for i, (head, line) in enumerate(zip(heads, lines, strict=True))
    ]


def _levels(arcs: Sequence[_Arc]) -> dict[_Arc, int]:
    """How far out each arc runs: beyond those that it spans, clear of those that it meets."""
    levels: dict[_Arc, int] = {}
    for arc in sorted(arcs, key=lambda a: (a.last - a.first, a.first)):
        meets = [o for o in levels if o.first <= arc.last and arc.first <= o.last]
        inside = [levels[o] for o in meets if arc.first <= o.first and o.last <= arc.last]
        taken = {levels[o] for o in meets}
        level = max(inside, default=0) + 1
        while level in taken:
            level += 1
        levels[arc] = level
    return levels
