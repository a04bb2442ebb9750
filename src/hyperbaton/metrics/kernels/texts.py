"""Texts as integers: each distinct text of a batch once, all of them in one array of characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from hyperbaton.base.compiled import compiled
from hyperbaton.metrics.metric import Segments


@dataclass(frozen=True)
class Sequences:
    """Sequences of integers laid end to end: number i is `units[offsets[i]:offsets[i + 1]]`."""

    units: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The length of each sequence."""
        return np.diff(self.offsets)


Characters = Sequences
"""Texts whose units are Unicode code points."""


@dataclass(frozen=True)
class Pairs:
    """The distinct texts of a batch, and which two of them each pair compares."""

    texts: list[str]
    hypotheses: npt.NDArray[np.int64]
    references: npt.NDArray[np.int64]


def intern(segments: Segments) -> Pairs:
    """Number the distinct texts, so that whatever is done to a text is done once."""
    texts = list(dict.fromkeys(chain(segments.references, segments.hypotheses)))
    find = {text: number for number, text in enumerate(texts)}.__getitem__
    size = len(segments)
    return Pairs(
        texts,
        np.fromiter(map(find, segments.hypotheses), np.int64, size),
        np.fromiter(map(find, segments.references), np.int64, size),
    )


def encode(texts: Sequence[str]) -> Characters:
    """The code points of texts."""
    # surrogatepass: a lone surrogate is bad text, yet no reason to stop.
    raw = "".join(texts).encode("utf-32-le", "surrogatepass")
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=offsets[1:])
    # A copy, since the buffer is read-only and numba compiles one version for each kind of array.
    return Sequences(np.frombuffer(raw, np.int32).copy(), offsets)


def decode(sequences: Sequences) -> list[str]:
    """Sequences as strings, one character a unit, for libraries that compare strings fast.

    >>> decode(encode(["so", "", "😀!"]))
    ['so', '', '😀!']
    """
    whole = sequences.units.tobytes().decode("utf-32-le", "surrogatepass")
    ends = sequences.offsets.tolist()
    return [whole[begin:end] for begin, end in pairwise(ends)]


WHITE = np.array([c for c in range(0x3001) if chr(c).isspace()], np.int32)
"""The code points at which `str.split` splits; none lies above U+3000."""

_IS_WHITE = np.zeros(0x3002, np.bool_)
_IS_WHITE[WHITE] = True


def without_white(texts: Characters) -> Characters:
    """The texts with all white space taken out."""
    return Characters(*_keep(texts.units, texts.offsets, _IS_WHITE))


@compiled
def _keep(
    units: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64], white: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    kept = np.empty(len(units), np.int32)
    ends = np.zeros(len(offsets), np.int64)
    size = 0
    for text in range(len(offsets) - 1):
        for at in range(offsets[text], offsets[text + 1]):
            unit = units[at]
            if not white[min(unit, 0x3001)]:
                kept[size] = unit
                size += 1
        ends[text + 1] = size
    return kept[:size].copy(), ends
