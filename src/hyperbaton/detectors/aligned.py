"""`aligned`: the alignment network on hashed words; trained from scratch, small, needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from scipy.special import expit

from hyperbaton.detectors.alignment import Weights, embed, load_weights, logit
from hyperbaton.detectors.detector import Detector, Pair, Probabilities
from hyperbaton.detectors.hashing import bucket_rows
from hyperbaton.fingerprint import fingerprint

__all__ = ["Aligned"]

BUNDLED = Path(__file__).parents[1] / "data" / "detectors" / "aligned.npz"


@dataclass(frozen=True)
class Aligned(Detector):
    """Words as hashed n-grams, softly aligned; weak where sentences are long or words are new."""

    name: ClassVar[str] = "aligned"

    weights: str = ""
    """A file of weights instead of the shipped one."""

    @property
    def commutative(self) -> bool:
        """Both sides have the same weights, and every pair is read in one order."""
        return True

    @property
    def _file(self) -> Path:
        return Path(self.weights).expanduser() if self.weights else BUNDLED

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """The network's answer for each pair alone, so that a batch cannot change it."""
        weights = _load(self._file)
        buckets = len(weights["embedding"])
        vectors = {
            text: embed(weights, bucket_rows(text, language, buckets))
            for pair in pairs
            for text in pair
        }
        return np.array([expit(logit(weights, vectors[a], vectors[b])) for a, b in pairs])

    def fields(self, language: str) -> dict[str, str]:
        """The hash of the weights."""
        return {"weights": fingerprint([self._file])}


@lru_cache(maxsize=4)
def _load(path: Path) -> Weights:
    return load_weights(path)
