"""Token boundaries in one pass over the characters, and equal tokens under one number.

sacreBLEU's 13a, zh and intl tokenizers are sequences of substitutions that only put spaces into
the text. What they do together depends on the class of a character and of its two neighbours, so
a table of classes and one automaton serve all of them.
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import numpy.typing as npt

from hyperbaton.base.compiled import compiled
from hyperbaton.metrics.kernels.texts import WHITE, Characters, Sequences

__all__ = [
    "ALONE",
    "DASH",
    "DIGIT",
    "MARK",
    "OTHER",
    "SPACE",
    "TABLES",
    "mteval",
    "number",
    "spans",
    "table",
    "word_spans",
]


OTHER, SPACE, ALONE, MARK, DIGIT, DASH = range(6)
"""A letter or the like; white space; a token of its own; a token unless digits stand on both
sides; a digit; a token when it follows a digit."""

Ints = npt.NDArray[np.int64]
Units = npt.NDArray[np.int32]
Classes = npt.NDArray[np.uint8]


@compiled
def spans(
    units: Units, offsets: Ints, classes: Classes, padded: bool, trimmed: bool
) -> tuple[Ints, Ints, Ints]:
    """Where tokens begin and end, and where the tokens of each text begin.

    `padded` texts are tokenised as if a space stood at both ends; of `trimmed` ones the white
    space in front is taken off first.
    """
    starts = np.empty(len(units), np.int64)
    ends = np.empty(len(units), np.int64)
    firsts = np.empty(len(offsets), np.int64)
    size = 0
    for text in range(len(offsets) - 1):
        firsts[text] = size
        at, stop = offsets[text], offsets[text + 1]
        while stop > at and classes[units[stop - 1]] == SPACE:
            stop -= 1
        while trimmed and at < stop and classes[units[at]] == SPACE:
            at += 1
        # At an unpadded edge there is nothing that a substitution could match: as with a digit.
        after_digit = not padded
        digit_before_dash = False
        inside = False
        while at < stop:
            kind = classes[units[at]]
            if kind == MARK:
                run = at + 1
                while run < stop and classes[units[run]] == MARK:
                    run += 1
                before_digit = classes[units[run]] == DIGIT if run < stop else not padded
                odd = (run - at) % 2 == 1
                within_number = after_digit and before_digit and run - at == 1
                # The substitutions consume marks two by two; the one left over clings to a digit.
                clings = before_digit and odd == after_digit
                if inside and not within_number:
                    ends[size] = at
                    size += 1
                    inside = False
                if not inside:
                    starts[size] = at
                for mark in range(at + 1, run):
                    ends[size] = mark
                    size += 1
                    starts[size] = mark
                inside = clings
                if not inside:
                    ends[size] = run
                    size += 1
                at = run
                after_digit = digit_before_dash = False
                continue
            alone = kind == ALONE or (kind == DASH and digit_before_dash)
            if inside and (alone or kind == SPACE):
                ends[size] = at
                size += 1
                inside = False
            if alone:
                starts[size] = at
                ends[size] = at + 1
                size += 1
            elif kind != SPACE and not inside:
                starts[size] = at
                inside = True
            after_digit = digit_before_dash = kind == DIGIT
            at += 1
        if inside:
            ends[size] = stop
            size += 1
    firsts[-1] = size
    return starts[:size], ends[:size], firsts


@compiled
def word_spans(units: Units, offsets: Ints, classes: Classes) -> tuple[Ints, Ints, Ints]:
    """The words that chrF++ counts: cut at white space, one mark cut off behind or else in front.

    In `classes` a mark is MARK.
    """
    starts = np.empty(len(units), np.int64)
    ends = np.empty(len(units), np.int64)
    firsts = np.empty(len(offsets), np.int64)
    size = 0
    for text in range(len(offsets) - 1):
        firsts[text] = size
        at, stop = offsets[text], offsets[text + 1]
        while at < stop:
            if classes[units[at]] == SPACE:
                at += 1
                continue
            run = at + 1
            while run < stop and classes[units[run]] != SPACE:
                run += 1
            cut = run
            if run - at > 1:
                if classes[units[run - 1]] == MARK:
                    cut = run - 1
                elif classes[units[at]] == MARK:
                    cut = at + 1
            starts[size] = at
            ends[size] = cut
            size += 1
            if cut < run:
                starts[size] = cut
                ends[size] = run
                size += 1
            at = run
    firsts[-1] = size
    return starts[:size], ends[:size], firsts


def number(texts: Characters, starts: Ints, ends: Ints, firsts: Ints) -> Sequences:
    """Tokens as integers: two tokens have the same number exactly when they are spelt the same."""
    return Sequences(_number(texts.units, starts, ends), firsts)


@compiled
def _number(units: Units, starts: Ints, ends: Ints) -> Units:
    numbers = np.empty(len(starts), np.int32)
    bits = 12
    slots = np.zeros(1 << bits, np.int32)
    hashes = np.empty(1 << (bits - 1), np.uint64)
    examples = np.empty(1 << (bits - 1), np.int64)
    known = 0
    for token in range(len(starts)):
        begin, length = starts[token], ends[token] - starts[token]
        key = np.uint64(length)
        for at in range(begin, begin + length):
            key = (key ^ np.uint64(units[at])) * np.uint64(0x100000001B3)
        key *= np.uint64(0x9E3779B97F4A7C15)
        mask = (1 << bits) - 1
        slot = np.int64(key >> np.uint64(64 - bits))
        while True:
            candidate = slots[slot]
            if candidate == 0:
                break
            if hashes[candidate - 1] == key:
                other = examples[candidate - 1]
                same = ends[other] - starts[other] == length
                for at in range(length):
                    if not same:
                        break
                    same = units[starts[other] + at] == units[begin + at]
                if same:
                    break
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            hashes[known] = key
            examples[known] = token
            known += 1
            slots[slot] = known
        numbers[token] = slots[slot]
        if known == len(hashes):
            bits += 1
            slots = np.zeros(1 << bits, np.int32)
            old_hashes, old_examples = hashes, examples
            hashes = np.empty(1 << (bits - 1), np.uint64)
            examples = np.empty(1 << (bits - 1), np.int64)
            for old in range(known):
                hashes[old], examples[old] = old_hashes[old], old_examples[old]
                slot = np.int64(hashes[old] >> np.uint64(64 - bits))
                while slots[slot] != 0:
                    slot = (slot + 1) & ((1 << bits) - 1)
                slots[slot] = old + 1
    return numbers


# Read as sacreBLEU compares them: it writes the two supplementary ranges with four-digit escapes,
# so that they become U+2001..U+2A6D and U+2F81..U+2FA1 and the ideographs beyond U+FFFF are words.
_CHINESE = (
    *((0x3400, 0x4DB5), (0x4E00, 0x9FA5), (0x9FA6, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A)),
    *((0xFA70, 0xFAD9), (0x2001, 0x2A6D), (0x2F81, 0x2FA1), (0xFF00, 0xFFEF), (0x2E80, 0x2EFF)),
    *((0x3000, 0x303F), (0x31C0, 0x31EF), (0x2F00, 0x2FDF), (0x2FF0, 0x2FFF), (0x3100, 0x312F)),
    *((0x31A0, 0x31BF), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0x2600, 0x26FF), (0x2700, 0x27BF)),
    *((0x3200, 0x32FF), (0x3300, 0x33FF)),
)
_ALONE = '{|}~[\\]^_`!"#$%&()*+:;<=>?@/'


def _blank() -> Classes:
    classes = np.full(sys.maxunicode + 1, OTHER, np.uint8)
    classes[WHITE] = SPACE
    return classes


def mteval() -> Classes:
    """mteval-v13a: punctuation apart, full stops, commas and dashes by the digits beside them."""
    classes = _blank()
    classes[[ord(c) for c in _ALONE]] = ALONE
    classes[[ord(c) for c in ".,"]] = MARK
    classes[[ord(c) for c in "0123456789"]] = DIGIT
    classes[ord("-")] = DASH
    return classes


def _chinese() -> Classes:
    classes = mteval()
    for first, last in _CHINESE:
        classes[first : last + 1] = ALONE
    classes[WHITE] = SPACE
    return classes


def _international() -> Classes:
    import regex

    classes = _blank()
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    for kind, pattern in ((MARK, r"\p{P}"), (ALONE, r"\p{S}"), (DIGIT, r"\p{N}")):
        classes[[m.start() for m in regex.finditer(pattern, everything)]] = kind
    return classes


def _characters() -> Classes:
    classes = np.full(sys.maxunicode + 1, ALONE, np.uint8)
    classes[WHITE] = SPACE
    return classes


def _chrf_words() -> Classes:
    classes = _blank()
    classes[[ord(c) for c in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]] = MARK
    return classes


TABLES = {
    "none": _blank,
    "13a": mteval,
    "zh": _chinese,
    "intl": _international,
    "char": _characters,
    "chrF words": _chrf_words,
}


@cache
def table(name: str) -> Classes:
    """The classes of one tokenizer, made once."""
    return TABLES[name]()
