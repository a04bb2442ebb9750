"""Texts taken apart for the outcome of a sample: their content, their words, and their order.

A text is a bag of character trigrams inside words, or of characters and pairs of them where words
are written without spaces (its content), a list of the words that it has once, by their first
letters (whose places can be compared), and all its words in a row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperbaton.base.compiled import compiled

GAP = 32
"""The code of what parts words."""

Ints = npt.NDArray[np.int64]
Units = npt.NDArray[np.int32]

_LETTERS = 4
_EDGE = np.int64(1)
_BITS = np.int64(21)
_SPREAD = np.int64(0x1E3779B97F4A7C15)
_IDEOGRAPHS = 0x2E80
"""From here on scripts that write no spaces; a name in Latin letters among them is a word."""


class Texts(NamedTuple):
    """What is known of each text, laid end to end: trigrams sorted, words sorted with places, and
    the row of all words."""

    grams: Ints
    gram_offsets: Ints
    words: Ints
    places: Ints
    word_offsets: Ints
    rows: Ints
    row_offsets: Ints


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
    rows = np.empty(len(units), np.int64)
    row_offsets = np.zeros(size + 1, np.int64)
    found = once = shown = 0
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
            rows[shown] = words[once] = word
            places[once] = place
            shown += 1
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
        row_offsets[text + 1] = shown
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
        grams[:found].copy(),
        gram_offsets,
        words[:once].copy(),
        places[:once].copy(),
        word_offsets,
        rows[:shown].copy(),
        row_offsets,
    )
