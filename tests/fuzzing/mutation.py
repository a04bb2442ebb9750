"""Inputs for readers: good ones with a few things wrong, the way fuzzers make them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

__all__ = ["mutated"]

LONGEST = 1 << 16
"""Bytes: what is longer takes long without reaching more."""
Mutate = Callable[[random.Random, bytes], bytes]

_PIECES = (
    *(b"\t", b"\n", b"\r\n", b"\n\n", b" ", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\x1f\x8b", b"="),
    *(b"{", b"}", b"[", b"]", b'"', b"'", b"\\", b"\\ud800", b"(", b")", b",", b":", b"|||", b"-1"),
    *(b"0", b"-", b"9" * 30, b"9" * 5000, b"1e999", b"NaN", b"null", b"true", b"1-2", b"1.1", b"#"),
    *("é".encode(), "\u2028".encode(), "犬".encode(), b"\xed\xa0\x80", b"_", b"A ", b"S ", b"../"),
)


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _remove(rng: random.Random, data: bytes) -> bytes:
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:a] + data[b:]


def _repeat(rng: random.Random, data: bytes) -> bytes:
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:b] + data[a:b] * rng.choice((1, 1, 2, 30)) + data[b:]


def _insert(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(_PIECES) * rng.choice((1, 1, 1, 2, 50)) + data[at:]


def _replace(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(_PIECES) + data[at + rng.randrange(1, 4) :]


def _flip(rng: random.Random, data: bytes) -> bytes:
    if not data:
        return bytes([rng.randrange(256)])
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _swap(rng: random.Random, data: bytes) -> bytes:
    a, b, c = sorted(rng.randrange(len(data) + 1) for _ in range(3))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def _deepen(rng: random.Random, data: bytes) -> bytes:
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")")))
    depth = rng.choice((2, 50, 2000))
    return opening * depth + data + closing * depth


_COMMON: tuple[Mutate, ...] = (_cut, _remove, _repeat, _insert, _replace, _flip, _swap)


def mutated(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """One of the seeds with one to six things wrong; seldom one that is nested deeply."""
    data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        data = rng.choice(_COMMON)(rng, data)
    return _deepen(rng, data) if rng.random() < 0.01 else data[:LONGEST]
