"""`ngrams`: hashed character n-grams, an encoder that knows nothing: the floor for all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors, signature

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class CharacterNgrams(Encoder):
    """Counts of the n-grams of a text in small letters, each in a place that its hash says."""

    name: ClassVar[str] = "ngrams"

    shortest: int = 2
    longest: int = 4
    size: int = 1024

    def open(self) -> OpenEncoder:
        """Nothing is loaded."""
        if not 1 <= self.shortest <= self.longest or self.size < 2:
            raise HyperbatonError(f"'{self}': 1 ≤ shortest ≤ longest, and a size of 2 or more")
        return _OpenNgrams(self)


class _OpenNgrams(OpenEncoder):
    def __init__(self, spec: CharacterNgrams) -> None:
        self._spec = spec
        self.size = spec.size
        lengths = f"{spec.shortest}-{spec.longest}"
        self.signature = signature("ngrams", lengths=lengths, size=str(spec.size))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, or of length 0 where a text has no n-gram."""
        found = np.zeros((len(texts), self.size), np.float32)
        for row, text in zip(found, texts, strict=True):
            for length in range(self._spec.shortest, self._spec.longest + 1):
                hashes = _hashes(f" {text.casefold()} ", length)
                # The highest bit is the sign, so that chance meetings cancel out.
                signs = np.where(hashes >> np.uint64(63), np.float32(-1), np.float32(1))
                places = (hashes % np.uint64(self.size)).astype(np.intp)
                np.add.at(row, places, signs)
        norms = np.linalg.norm(found, axis=1, keepdims=True)
        np.divide(found, norms, out=found, where=norms > 0)
        return found


def _hashes(text: str, length: int) -> NDArray[np.uint64]:
    """A number for each n-gram of this length, the same on every machine."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
    if len(codes) < length:
        return np.empty(0, np.uint64)
    mixed = np.full(len(codes) - length + 1, length, np.uint64)
    for at in range(length):
        mixed = (mixed ^ codes[at : len(codes) - length + 1 + at]) * _FACTOR
        mixed ^= mixed >> np.uint64(29)
    return mixed
