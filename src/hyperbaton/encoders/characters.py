"""`chars`: a small encoder that has no vocabulary, reads characters and ships in the package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import ClassVar

import numpy as np

from hyperbaton import __version__
from hyperbaton.encoders.character_network import LONGEST, forward, load_weights
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors
from hyperbaton.fingerprint import fingerprint

__all__ = ["BUNDLED", "Characters"]

BUNDLED = Path(__file__).parents[1] / "data" / "chars" / "chars.npz"
_BATCH = 4096
"""Characters in a batch."""


@dataclass(frozen=True)
class Characters(Encoder):
    """9 million weights over hashed characters, taught by e5; good in de es fr it ja ru zh only."""

    name: ClassVar[str] = "chars"

    weights: str = ""
    """A file of weights instead of the shipped one."""

    def open(self) -> OpenEncoder:
        """Read the weights."""
        return _OpenCharacters(Path(self.weights).expanduser() if self.weights else BUNDLED)


class _OpenCharacters(OpenEncoder):
    size = 384

    def __init__(self, path: Path) -> None:
        self._weights = load_weights(path)
        self.signature = f"chars|weights:{fingerprint([path])}|hyperbaton:{__version__}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1; texts of one length share a batch, so that nothing is padded."""
        cut = [text[:LONGEST] or " " for text in texts]
        found = np.empty((len(cut), self.size), np.float32)
        order = sorted(range(len(cut)), key=lambda at: len(cut[at]))
        for length, same in groupby(order, key=lambda at: len(cut[at])):
            places = list(same)
            step = max(1, _BATCH // length)
            for start in range(0, len(places), step):
                batch = places[start : start + step]
                codes = np.array([[*map(ord, cut[at])] for at in batch], np.int64)
                found[batch] = forward(self._weights, codes)
        return found
