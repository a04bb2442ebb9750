"""Word sets and word orders of many texts at once, for the outcome of a sample.

A text is a bag of character trigrams inside words, or of characters and pairs of them where words
are written without spaces (its content), and a list of the words that it has once, by their first
letters (whose places can be compared).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.compiled import compiled

__all__ = ["GAP", "Evidence", "Texts", "evidence", "take_apart"]

GAP = 32
"""The code of what parts words."""

Ints = npt.NDArray[np.int64]
Units = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

_LETTERS = 4
_EDGE = np.int64(1)
_BITS = np.int64(21)
_SPREAD = np.int64(0x1E3779B97F4A7C15)
_IDEOGRAPHS = 0x2E80
"""From here on scripts that write no spaces; a name in Latin letters among them is a word."""


class Texts(NamedTuple):
    """What is known of each text, laid end to end: trigrams sorted, words sorted with places."""

    grams: Ints
    gram_offsets: Ints
    words: Ints
    places: Ints
    word_offsets: Ints


class Evidence(NamedTuple):
    """What a sample shows: overlaps, and how pairs of words stand."""

    content: Floats
    """Overlap of the varied output with reference and output together."""
    reference: Floats
    """Overlap of the varied output with the reference."""
    source: Floats
    """Overlap of the varied output with the varied source, 0 where that is not given."""
    votes: Ints
    """Pairs of words that stand as in a clean text, and those that stand as in its varied twin."""


@compiled
def _sort(keys: Ints, along: Ints, start: int, stop: int) -> None:
    """Sort a stretch of keys, and what goes along with each (or the keys themselves again).

    Insertion in short stretches, then merging. numba's own sort takes 3 seconds to compile.
    """
    width = 16
    for first in range(start, stop, width):
        for i in range(first + 1, min(first + width, stop)):
            key, value, at = keys[i], along[i], i
            while at > first and keys[at - 1] > key:
                keys[at] = keys[at - 1]
                along[at] = along[at - 1]
                at -= 1
            keys[at] = key
            along[at] = value
    spare = np.empty((2, stop - start if stop - start > width else 0), np.int64)
    while width < stop - start:
        for first in range(start, stop, 2 * width):
            middle, end = min(first + width, stop), min(first + 2 * width, stop)
            for i in range(first, middle):
                spare[0, i - first] = keys[i]
                spare[1, i - first] = along[i]
            i, j, at = 0, middle, first
            while i < middle - first:
                if j < end and keys[j] < spare[0, i]:
                    keys[at] = keys[j]
                    along[at] = along[j]
                    j += 1
                else:
                    keys[at] = spare[0, i]
                    along[at] = spare[1, i]
                    i += 1
                at += 1
        width *= 2


@compiled
def take_apart(units: Units, offsets: Ints, spaced: bool) -> Texts:
    """The grams and words of texts in small letters; without spaces a word is a character."""
    size = len(offsets) - 1
    grams = np.empty(2 * len(units), np.int64)
    words = np.empty(len(units), np.int64)
    places = np.empty(len(units), np.int64)
    gram_offsets = np.zeros(size + 1, np.int64)
    word_offsets = np.zeros(size + 1, np.int64)
    found = once = 0
    for text in range(size):
        stop = offsets[text + 1]
        begun, first, at, place = found, once, offsets[text], 0
        while at < stop:
            if units[at] == GAP:
                at += 1
                continue
            end = at + 1
            alphabet = units[at] < _IDEOGRAPHS
            while end < stop and units[end] != GAP and alphabet == (units[end] < _IDEOGRAPHS):
                if not (spaced or alphabet):
                    break
                end += 1
            word = np.int64(0)
            for letter in range(at, min(end, at + _LETTERS)):
                word = (word ^ np.int64(units[letter])) * _SPREAD
                word ^= word >> np.int64(29)
            words[once] = word
            places[once] = place
            once += 1
            place += 1
            if spaced:
                before = _EDGE
                for letter in range(at, end):
                    after = np.int64(units[letter + 1]) if letter + 1 < end else _EDGE
                    letters = (np.int64(units[letter]) << _BITS) | after
                    grams[found] = (before << (_BITS + _BITS)) | letters
                    before = np.int64(units[letter])
                    found += 1
            else:
                grams[found] = word
                found += 1
                if end < stop and units[end] >= _IDEOGRAPHS:
                    grams[found] = (word ^ np.int64(units[end])) * _SPREAD
                    found += 1
            at = end
        gram_offsets[text + 1] = found
        _sort(grams, grams, begun, found)
        _sort(words, places, first, once)
        last, once = once, first
        for i in range(first, last):
            repeated = (i > first and words[i - 1] == words[i]) or (
                i + 1 < last and words[i + 1] == words[i]
            )
            if not repeated:
                words[once] = words[i]
                places[once] = places[i]
                once += 1
        word_offsets[text + 1] = once
    return Texts(
        grams[:found].copy(), gram_offsets, words[:once].copy(), places[:once].copy(), word_offsets
    )


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
    votes = np.zeros((size, 2), np.int64)
    longest = 0
    for text in range(len(texts.word_offsets) - 1):
        longest = max(longest, texts.word_offsets[text + 1] - texts.word_offsets[text])
    at = np.empty((5, longest), np.int64)
    for sample in range(size):
        varied, clean, own = columns[sample, 0], columns[sample, 1], columns[sample, 2]
        bag, right = _bag(texts, varied), _bag(texts, clean)
        content[sample] = _content(bag, right, _bag(texts, own))
        reference[sample] = _overlap(bag, right)
        if columns[sample, 6] >= 0:
            source[sample] = _overlap(bag, _bag(texts, columns[sample, 6]))
        for column in range(5):
            _find(texts, varied, columns[sample, column + 1], at[column])
        start = texts.word_offsets[varied]
        here = texts.places[start : texts.word_offsets[varied + 1]]
        for i in range(len(here)):
            for j in range(i):
                stands = here[i] < here[j]
                known = at[1, i] >= 0 and at[1, j] >= 0
                in_output = at[1, i] < at[1, j]
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
    return Evidence(content, reference, source, votes)
