"""Edits and shifts of phrases between sequences: the count of TER, equal to sacreBLEU's.

Shifts are looked for as Tercom does (Snover et al. 2006): a phrase of the hypothesis that the
reference has elsewhere is moved there if that saves most edits, and again until nothing is saved.
Distances are counted near the diagonal only. A shift leaves the words before and behind it as they
were, so only the rows between are counted again; one that cannot save as much as the best so far is
given up on the way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.base.compiled import compiled
from hyperbaton.metrics.kernels.texts import Sequences

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.int32]

_LONGEST, _FARTHEST, _MOST = 10, 50, 1000
"""Words of a shift, places that it moves at most, and shifts that are tried."""
_BEAM = 25
_FAR = 1 << 30


class Grid(NamedTuple):
    """The table of distances between a hypothesis and a reference, near its diagonal."""

    reference: Words
    begins: Ints
    ends: Ints
    """The places of each row that are counted."""
    costs: npt.NDArray[np.int32]
    """The edits up to each place."""
    rest: npt.NDArray[np.int32]
    """The edits from each place to the end."""
    above: Words
    here: Words
    """Two whole rows to count in."""


def edits(sequences: Sequences, hypotheses: Ints, references: Ints) -> Ints:
    """The edits and shifts that turn each hypothesis into its reference.

    >>> from hyperbaton.metrics.kernels.texts import encode
    >>> texts = encode(["abcdef", "defabc", "abc"])
    >>> edits(texts, np.array([0, 0, 2]), np.array([0, 1, 0])).tolist()
    [0, 1, 3]
    """
    found = np.zeros(len(hypotheses), np.int64)
    _count(sequences.units, sequences.offsets, hypotheses, references, found)
    return found


@compiled
def _count(units: Words, offsets: Ints, hypotheses: Ints, references: Ints, found: Ints) -> None:
    for pair in range(len(hypotheses)):
        first, second = hypotheses[pair], references[pair]
        words = units[offsets[first] : offsets[first + 1]].copy()
        reference = units[offsets[second] : offsets[second + 1]]
        if len(reference) == 0 or len(words) == 0:
            found[pair] = max(len(reference), len(words))
        else:
            found[pair] = _edits(words, reference)


@compiled
def _edits(words: Words, reference: Words) -> int:
    size, length = len(words), len(reference)
    ratio = length / size
    beam = _BEAM
    if ratio / 2 > _BEAM:
        beam = int(np.ceil(ratio / 2 + _BEAM))
    begins, ends = np.zeros(size + 2, np.int64), np.full(size + 2, length + 1)
    for row in range(1, size + 1):
        middle = int(np.floor(row * ratio))
        begins[row] = max(0, middle - beam)
        if row < size:
            ends[row] = min(length + 1, middle + beam)
    begins[size + 1] = begins[size]
    width = max(2 * beam + 2, ends[size] - begins[size])
    grid = Grid(
        reference,
        begins,
        ends,
        np.empty((size + 1, width), np.int32),
        np.empty((size + 1, width), np.int32),
        np.empty(length + 2, np.int32),
        np.empty(length + 2, np.int32),
    )
    shifts = tried = 0
    while True:
        distance = _distance(words, grid)
        _fill_rest(words, grid)
        saved, start, moved, target, tried = _best_shift(words, grid, distance, tried)
        if tried >= _MOST or saved <= 0:
            return shifts + distance
        words = _shifted(words, start, moved, target)
        shifts += 1


@compiled
def _row(word: int, row: int, grid: Grid, above: Words, here: Words) -> int:
    """One row of distances below another; what lies outside is far.

    Returns what the whole distance cannot be less than: lengths that are left differ by so much.
    """
    reference, begin, end = grid.reference, grid.begins[row], grid.ends[row]
    even = len(reference) - (len(grid.costs) - 1) + row
    least = left = _FAR
    diagonal = _FAR
    if begin > 0:
        diagonal = above[begin - 1]
        here[begin - 1] = _FAR
    for place in range(begin, end):
        up = above[place]
        best = min(up, left) + 1
        if place > 0:
            best = min(best, diagonal + (word != reference[place - 1]))
        diagonal, left = up, min(best, _FAR)
        here[place] = np.int32(left)
        least = min(least, left + abs(place - even))
    for place in range(end, grid.ends[row + 1]):
        here[place] = _FAR
    return least


@compiled
def _distance(words: Words, grid: Grid) -> int:
    """The edit distance; every row is kept."""
    above, here = grid.above, grid.here
    for place in range(len(above)):
        above[place] = place
    for row in range(1, len(words) + 1):
        _row(words[row - 1], row, grid, above, here)
        begin, end = grid.begins[row], grid.ends[row]
        grid.costs[row, : end - begin] = here[begin:end]
        above, here = here, above
    distance: int = above[len(grid.reference)]
    return distance


@compiled
def _fill_rest(words: Words, grid: Grid) -> None:
    """The edits from each place to the end, along the ways that the rows allow."""
    size, length = len(words), len(grid.reference)
    for row in range(size, 0, -1):
        begin, end = grid.begins[row], grid.ends[row]
        under, last = grid.begins[row + 1], grid.ends[row + 1]
        best = _FAR
        for place in range(end - 1, begin - 1, -1):
            best = best + 1 if place < length else 0 if row == size else _FAR
            if row < size:
                if under <= place < last:
                    best = min(best, grid.rest[row + 1, place - under] + 1)
                if place < length and under <= place + 1 < last:
                    other = words[row] != grid.reference[place]
                    best = min(best, grid.rest[row + 1, place + 1 - under] + other)
            best = min(best, _FAR)
            grid.rest[row, place - begin] = best


@compiled
def _best_shift(
    words: Words, grid: Grid, distance: int, tried: int
) -> tuple[int, int, int, int, int]:
    """What the best shift saves, its start, length and target; and the shifts tried so far.

    Of equally good shifts the longest is taken, then the first to start, then the nearest to the
    beginning.
    """
    reference = grid.reference
    size, length = len(words), len(reference)
    aligned, wrong, unmet = _errors(words, grid)
    best = (0, 0, 0, 0)
    for start in range(size):
        for place in range(max(0, start - _FARTHEST), min(length, start + _FARTHEST + 1)):
            for many in range(1, min(_LONGEST, size - start, length - place) + 1):
                if words[start + many - 1] != reference[place + many - 1]:
                    break
                if wrong[start + many] == wrong[start] or unmet[place + many] == unmet[place]:
                    continue
                if start <= aligned[place] < start + many:
                    continue
                previous = -1
                for offset in range(-1, many):
                    target = 0 if place + offset == -1 else aligned[place + offset] + 1
                    if target == previous:
                        continue
                    previous = target
                    tried += 1
                    first = min(start, target)
                    last = start + many if target < start else max(target, target + many - 1)
                    moved = _shifted(words, start, many, target)
                    # What saves as much as the best so far counts only if it comes before it.
                    later = (many, -start, -target) < best[1:]
                    goal = distance - max(1, best[0] + later)
                    cost = _within(moved, first, min(last + 1, size), goal, grid)
                    if cost <= goal:
                        best = (distance - cost, many, -start, -target)
                if tried >= _MOST:
                    return best[0], -best[2], best[1], -best[3], tried
    return best[0], -best[2], best[1], -best[3], tried


@compiled
def _within(words: Words, first: int, last: int, goal: int, grid: Grid) -> int:
    """The edit distance of words that differ from `first` up to `last` only; more than the goal if
    it cannot be reached."""
    above, here = grid.above, grid.here
    if first == 0:
        for place in range(len(above)):
            above[place] = place
    else:
        begin, end = grid.begins[first], grid.ends[first]
        above[begin:end] = grid.costs[first, : end - begin]
        if begin > 0:
            above[begin - 1] = _FAR
        above[end : grid.ends[first + 1]] = _FAR
    for row in range(first + 1, last + 1):
        least = _row(words[row - 1], row, grid, above, here)
        if least > goal:
            return least
        above, here = here, above
    distance, begin = _FAR, grid.begins[last]
    for place in range(begin, grid.ends[last]):
        distance = min(distance, above[place] + grid.rest[last, place - begin])
    return distance


@compiled
def _cost(row: int, place: int, grid: Grid) -> int:
    """The edits up to a place; far where it was not counted."""
    if row == 0:
        return place
    begin = grid.begins[row]
    return grid.costs[row, place - begin] if begin <= place < grid.ends[row] else _FAR


@compiled
def _errors(words: Words, grid: Grid) -> tuple[Ints, Ints, Ints]:
    """The last word of the hypothesis up to each of the reference; errors up to each of both.

    Of equally short ways the one that keeps or replaces a word is taken, then that which deletes.
    """
    row, place = len(words), len(grid.reference)
    aligned = np.empty(place, np.int64)
    wrong, unmet = np.zeros(row + 1, np.int64), np.zeros(place + 1, np.int64)
    while row > 0 or place > 0:
        cost = _cost(row, place, grid)
        if row > 0 and place > 0:
            other = words[row - 1] != grid.reference[place - 1]
            if _cost(row - 1, place - 1, grid) + other == cost:
                wrong[row] = unmet[place] = other
                row, place = row - 1, place - 1
                aligned[place] = row
                continue
        if row > 0 and (place == 0 or _cost(row - 1, place, grid) + 1 == cost):
            wrong[row] = 1
            row -= 1
        else:
            unmet[place] = 1
            place -= 1
            aligned[place] = row - 1  # a word is missing here: the hypothesis stays where it is
    return aligned, np.cumsum(wrong), np.cumsum(unmet)


@compiled
def _shifted(words: Words, start: int, many: int, target: int) -> Words:
    """The words with some of them moved before a target, or past what follows them."""
    end = start + many
    if target < start:
        begin, stop, to = target, start, target
    else:
        begin, stop = end, min(len(words), target if target > end else target + many)
        to = start + stop - end
    moved = words.copy()
    if target < start:
        moved[to + many : end] = words[begin:stop]
    else:
        moved[start:to] = words[begin:stop]
    moved[to : to + many] = words[start:end]
    return moved
