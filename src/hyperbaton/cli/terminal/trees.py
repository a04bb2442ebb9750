"""A dependency tree as lines of box characters, one line per word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["draw_arcs"]

# Which of the four sides a character joins: 1 up, 2 down, 4 left, 8 right.
_BOX = " │││─┘┐┤─└┌├─┴┬┼"
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8


@dataclass(frozen=True)
class _Arc:
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
