"""The draws of `Rng` for many texts at once, in machine code: the same numbers, the same orders.

A draw is read from BLAKE2b digests of its key. Python's own digest is fast, but for a text of fifty
characters it takes four calls, and the sorting of fifty keys takes longer than that.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.compiled import compiled

__all__ = ["FLIP", "FULL", "PHRASE", "Kind", "drawn"]

Kind = Literal[0, 1, 2]
FULL: Kind = 0
PHRASE: Kind = 1
FLIP: Kind = 2

_WORD = np.uint64
_IV = np.array(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    np.uint64,
)
_SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    np.int64,
)
"""The constants of RFC 7693."""
_PARAMETERS = 0x01010040
"""A digest of 64 bytes, without a key, of one leaf."""


def drawn(
    prefix: bytes, items: bytes, ends: NDArray[np.int64], sizes: NDArray[np.int64],
    kind: Kind, p: float = 0.0,
) -> NDArray[np.int64]:  # fmt: skip
    """The orders of texts of so many units, each within itself, end to end.

    The key of a draw is the prefix and the item's name; the names stand end to end in `items`.
    """
    head, tail = np.frombuffer(prefix, np.uint8), np.frombuffer(items, np.uint8)
    return _drawn(head, tail, ends, sizes, kind, p * 2**32)  # type: ignore[no-any-return]


@compiled
def _mix(a, b, c, d, x, y):  # type: ignore[no-untyped-def]
    a = a + b + x
    d ^= a
    d = (d >> _WORD(32)) | (d << _WORD(32))
    c = c + d
    b ^= c
    b = (b >> _WORD(24)) | (b << _WORD(40))
    a = a + b + y
    d ^= a
    d = (d >> _WORD(16)) | (d << _WORD(48))
    c = c + d
    b ^= c
    b = (b >> _WORD(63)) | (b << _WORD(1))
    return a, b, c, d


@compiled
def _compress(h, m, length, last):  # type: ignore[no-untyped-def]
    """One block of 16 words into the state of 8."""
    v0, v1, v2, v3 = h[0], h[1], h[2], h[3]
    v4, v5, v6, v7 = h[4], h[5], h[6], h[7]
    v8, v9, v10, v11 = _IV[0], _IV[1], _IV[2], _IV[3]
    v12, v13, v14, v15 = _IV[4] ^ length, _IV[5], _IV[6], _IV[7]
    if last:
        v14 = ~v14
    for r in range(12):
        s = _SIGMA[r]
        v0, v4, v8, v12 = _mix(v0, v4, v8, v12, m[s[0]], m[s[1]])
        v1, v5, v9, v13 = _mix(v1, v5, v9, v13, m[s[2]], m[s[3]])
        v2, v6, v10, v14 = _mix(v2, v6, v10, v14, m[s[4]], m[s[5]])
        v3, v7, v11, v15 = _mix(v3, v7, v11, v15, m[s[6]], m[s[7]])
        v0, v5, v10, v15 = _mix(v0, v5, v10, v15, m[s[8]], m[s[9]])
        v1, v6, v11, v12 = _mix(v1, v6, v11, v12, m[s[10]], m[s[11]])
        v2, v7, v8, v13 = _mix(v2, v7, v8, v13, m[s[12]], m[s[13]])
        v3, v4, v9, v14 = _mix(v3, v4, v9, v14, m[s[14]], m[s[15]])
    h[0] ^= v0 ^ v8
    h[1] ^= v1 ^ v9
    h[2] ^= v2 ^ v10
    h[3] ^= v3 ^ v11
    h[4] ^= v4 ^ v12
    h[5] ^= v5 ^ v13
    h[6] ^= v6 ^ v14
    h[7] ^= v7 ^ v15


@compiled
def _numbers(words, length, first, count, state, numbers):  # type: ignore[no-untyped-def]
    """`Rng.numbers` from a block on; the block after the last that was read."""
    blocks = max(1, (count + 15) // 16)
    rows = len(words) // 16
    for block in range(blocks):
        for i in range(8):
            state[i] = _IV[i]
        state[0] ^= _WORD(_PARAMETERS)
        state[4] ^= _WORD(first + block)
        for row in range(rows):
            last = row == rows - 1
            seen = length if last else 128 * (row + 1)
            _compress(state, words[16 * row : 16 * row + 16], _WORD(seen), last)
        for i in range(8):
            numbers[16 * block + 2 * i] = state[i] & _WORD(0xFFFFFFFF)
            numbers[16 * block + 2 * i + 1] = state[i] >> _WORD(32)
    return first + blocks


@compiled
def _permutation(numbers, count, keys, order):  # type: ignore[no-untyped-def]
    """Places sorted by number, equal ones in their order."""
    for i in range(count):
        keys[i] = (numbers[i] << _WORD(32)) | _WORD(i)
    some = keys[:count]
    some.sort()
    for i in range(count):
        order[i] = np.int64(some[i] & _WORD(0xFFFFFFFF))


@compiled
def _drawn(prefix, items, ends, sizes, kind, threshold):  # type: ignore[no-untyped-def]
    most = 0
    longest = 0
    total = 0
    for text in range(len(sizes)):
        start = ends[text - 1] if text else 0
        most = max(most, sizes[text])
        longest = max(longest, ends[text] - start)
        total += sizes[text]
    places = np.empty(total, np.int64)
    room = most + 32
    numbers, keys = np.empty(room, np.uint64), np.empty(room, np.uint64)
    order, starts = np.empty(room, np.int64), np.empty(room + 1, np.int64)
    state = np.empty(8, np.uint64)
    words = np.empty(16 * ((len(prefix) + longest) // 128 + 1), np.uint64)
    at = 0
    for text in range(len(sizes)):
        size = sizes[text]
        out = places[at : at + size]
        at += size
        if size < 2:
            for i in range(size):
                out[i] = i
            continue
        start = ends[text - 1] if text else 0
        length = len(prefix) + ends[text] - start
        rows = max(1, (length + 127) // 128)
        message = words[: 16 * rows]
        message[:] = _WORD(0)
        for i in range(length):
            byte = prefix[i] if i < len(prefix) else items[start + i - len(prefix)]
            message[i >> 3] |= _WORD(byte) << _WORD(8 * (i & 7))
        if kind == 0:
            _numbers(message, length, 0, size, state, numbers)
            _permutation(numbers, size, keys, out)
            continue
        block = _numbers(message, length, 0, size - 1, state, numbers)
        if kind == 2:
            held = 0
            for new in range(1, size):
                if np.float64(numbers[new - 1]) < threshold:
                    out[new - 1] = new
                else:
                    out[new - 1] = held
                    held = new
            out[size - 1] = held
            continue
        phrases = 1
        starts[0] = 0
        for i in range(1, size):
            if np.float64(numbers[i - 1]) < threshold:
                starts[phrases] = i
                phrases += 1
        starts[phrases] = size
        _numbers(message, length, block, phrases, state, numbers)
        _permutation(numbers, phrases, keys, order)
        filled = 0
        for i in range(phrases):
            for unit in range(starts[order[i]], starts[order[i] + 1]):
                out[filled] = unit
                filled += 1
    return places
