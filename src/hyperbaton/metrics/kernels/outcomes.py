"""Word sets and word orders of many texts at once, for the outcome of a sample."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.base.compiled import compiled
from hyperbaton.metrics.kernels.outcome_texts import Ints, Texts

Floats = npt.NDArray[np.float64]


class Evidence(NamedTuple):
    """What a sample shows: overlaps, and how pairs of words stand."""

    content: Floats
    """Overlap of the varied output with reference and output together."""
    in_order: Floats
    """The words that stand in the same order as in the reference, or in the output: an F-score."""
    crossed: Floats
    """Of the pairs of words that it shares with the reference, or with the output, how many stand
    the other way round there; the smaller share, 1 where it shares none."""
    length: Floats
    """How many words it has for each word of the output."""
    as_output: Floats
    """The words that stand in the same order as in the output: an F-score."""
    as_twin: Floats
    """The same for the varied twin of a clean text: the projected output, or else the projected
    reference, or else Ψ(reference); -1 where there is none of them."""
    lacking: Floats
    """Of the words of the output that the reference has too, the share that it lacks."""
    added: Floats
    """The share of its words that neither the reference nor the output has."""
    reference: Floats
    """Overlap of the varied output with the reference."""
    source: Floats
    """Overlap of the varied output with the varied source, 0 where that is not given."""
    votes: Ints
    """Pairs of words that stand as in a clean text, and those that stand as in its varied twin."""


@compiled
def _shared(one: Ints, two: Ints) -> int:
    """The size of the common part of two sorted bags."""
    i = j = shared = 0
    while i < len(one) and j < len(two):
        if one[i] == two[j]:
            shared += 1
            i += 1
            j += 1
        elif one[i] < two[j]:
            i += 1
        else:
            j += 1
    return shared


@compiled
def _overlap(one: Ints, two: Ints) -> float:
    """F-score of two bags."""
    total = len(one) + len(two)
    return 2.0 * _shared(one, two) / total if total else 0.0


@compiled
def _reach(bag: Ints, gram: int, at: int) -> int:
    """The first place from `at` on where a sorted bag has this gram or a later one."""
    while at < len(bag) and bag[at] < gram:
        at += 1
    return at


@compiled
def _behind(bag: Ints, gram: int, at: int) -> int:
    """The first place from `at` on that no longer has this gram."""
    while at < len(bag) and bag[at] == gram:
        at += 1
    return at


@compiled
def _known(bag: Ints, one: Ints, two: Ints) -> int:
    """How much of a sorted bag is in either of two, each gram as often as in the richer one."""
    at = i = j = known = 0
    while at < len(bag):
        gram, start = bag[at], at
        at = _behind(bag, gram, at)
        first, second = _reach(one, gram, i), _reach(two, gram, j)
        i, j = _behind(one, gram, first), _behind(two, gram, second)
        known += min(at - start, max(i - first, j - second))
    return known


@compiled
def _content(bag: Ints, one: Ints, two: Ints) -> float:
    """F-score against two texts that say the same: what either has is right, one suffices."""
    if not len(bag) or not len(one) or not len(two):
        return max(_overlap(bag, one), _overlap(bag, two))
    right = _known(bag, one, two) / len(bag)
    found = max(_shared(bag, one) / len(one), _shared(bag, two) / len(two))
    return 2.0 * right * found / (right + found) if right + found else 0.0


@compiled
def _bag(texts: Texts, text: int) -> Ints:
    return texts.grams[texts.gram_offsets[text] : texts.gram_offsets[text + 1]]


@compiled
def _row(texts: Texts, text: int) -> Ints:
    return texts.rows[texts.row_offsets[text] : texts.row_offsets[text + 1]]


@compiled
def _in_order(one: Ints, two: Ints) -> float:
    """F-score of the longest row of words that two texts have in the same order."""
    longest = np.zeros(len(two) + 1, np.int64)
    for word in one:
        corner = 0
        for j in range(len(two)):
            above = longest[j + 1]
            longest[j + 1] = corner + 1 if word == two[j] else max(above, longest[j])
            corner = above
    total = len(one) + len(two)
    return 2.0 * longest[-1] / total if total else 0.0


@compiled
def _has(row: Ints, word: int) -> bool:
    found = False
    for other in row:
        found |= other == word
    return found


@compiled
def _lacking(row: Ints, one: Ints, two: Ints) -> float:
    """Of the words that two texts have in common, the share that a row lacks; 0 of none."""
    common = lacking = 0
    for word in one:
        if _has(two, word):
            common += 1
            lacking += not _has(row, word)
    return lacking / common if common else 0.0


@compiled
def _added(row: Ints, one: Ints, two: Ints) -> float:
    """The share of the words of a row that neither of two texts has; 0 of none."""
    added = 0
    for word in row:
        added += not (_has(one, word) or _has(two, word))
    return added / len(row) if len(row) else 0.0


@compiled
def _twin(columns: Ints) -> int:
    """The number of the best varied twin of a sample, -1 where it has none."""
    twin = int(columns[3])
    for column in (4, 5):
        if columns[column] >= 0:
            twin = int(columns[column])
    return twin


@compiled
def _find(texts: Texts, one: int, two: int, found: Ints) -> None:
    """Where the words of one text stand in another; -1 for those that it has not, or not once."""
    start, stop = texts.word_offsets[one], texts.word_offsets[one + 1]
    if two < 0:
        found[: stop - start] = -1
        return
    j, end = texts.word_offsets[two], texts.word_offsets[two + 1]
    for i in range(start, stop):
        while j < end and texts.words[j] < texts.words[i]:
            j += 1
        known = j < end and texts.words[j] == texts.words[i]
        found[i - start] = texts.places[j] if known else -1


@compiled
def evidence(texts: Texts, columns: Ints) -> Evidence:
    """The evidence of each sample; its columns are the numbers of its texts, -1 for none.

    The columns: varied output, reference, output, Ψ(reference), projected reference, projected
    output, varied source. A pair of words votes where a clean text and its varied twin disagree on
    it; one on which reference and output disagree says nothing about the reference's twins.
    """
    size = len(columns)
    content, reference, source = np.empty(size), np.empty(size), np.zeros(size)
    in_order, crossed, length = np.empty(size), np.empty(size), np.empty(size)
    as_output, as_twin = np.empty(size), np.empty(size)
    lacking, added = np.empty(size), np.empty(size)
    votes = np.zeros((size, 2), np.int64)
    longest = 0
    for text in range(len(texts.word_offsets) - 1):
        longest = max(longest, texts.word_offsets[text + 1] - texts.word_offsets[text])
    at = np.empty((5, longest), np.int64)
    crossing = np.zeros((2, 2), np.int64)
    for sample in range(size):
        varied, clean, own = columns[sample, 0], columns[sample, 1], columns[sample, 2]
        bag, right = _bag(texts, varied), _bag(texts, clean)
        content[sample] = _content(bag, right, _bag(texts, own))
        reference[sample] = _overlap(bag, right)
        row = _row(texts, varied)
        given, output = _row(texts, clean), _row(texts, own)
        as_output[sample] = _in_order(row, output)
        in_order[sample] = max(_in_order(row, given), as_output[sample])
        twin = _twin(columns[sample])
        as_twin[sample] = _in_order(row, _row(texts, twin)) if twin >= 0 else -1.0
        lacking[sample] = _lacking(row, output, given)
        added[sample] = _added(row, given, output)
        length[sample] = len(row) / max(len(output), 1)
        if columns[sample, 6] >= 0:
            source[sample] = _overlap(bag, _bag(texts, columns[sample, 6]))
        for column in range(5):
            _find(texts, varied, columns[sample, column + 1], at[column])
        start = texts.word_offsets[varied]
        here = texts.places[start : texts.word_offsets[varied + 1]]
        crossing[:] = 0
        for i in range(len(here)):
            for j in range(i):
                stands = here[i] < here[j]
                known = at[1, i] >= 0 and at[1, j] >= 0
                in_output = at[1, i] < at[1, j]
                for text in range(2):
                    if at[text, i] >= 0 and at[text, j] >= 0:
                        crossing[text, 0] += 1
                        crossing[text, 1] += (at[text, i] < at[text, j]) != stands
                moves = at[4, i] >= 0 and at[4, j] >= 0 and (at[4, i] < at[4, j]) != in_output
                if known and moves:
                    votes[sample, 1 if in_output != stands else 0] += 1
                if at[0, i] < 0 or at[0, j] < 0:
                    continue
                in_reference = at[0, i] < at[0, j]
                if known and in_output != in_reference:
                    continue
                carried = 1 if in_reference != stands else 0
                if at[3, i] >= 0 and at[3, j] >= 0 and (at[3, i] < at[3, j]) != in_reference:
                    votes[sample, carried] += 1
                if at[2, i] >= 0 and at[2, j] >= 0 and (at[2, i] < at[2, j]) != in_reference:
                    votes[sample, carried] += 1
        crossed[sample] = 1.0
        for text in range(2):
            if crossing[text, 0]:
                share = crossing[text, 1] / crossing[text, 0]
                crossed[sample] = min(crossed[sample], share)
    return Evidence(
        content,
        in_order,
        crossed,
        length,
        as_output,
        as_twin,
        lacking,
        added,
        reference,
        source,
        votes,
    )
