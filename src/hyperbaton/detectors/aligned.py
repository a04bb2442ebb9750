"""`aligned`: a small network over words that met their like; it knows no word by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hyperbaton.base.content import fingerprint
from hyperbaton.base.files import DATA
from hyperbaton.base.npz import fitting
from hyperbaton.detectors.alignment import Weights, load_weights
from hyperbaton.detectors.detector import Detector, Pair, Probabilities
from hyperbaton.detectors.words import word_features

__all__ = ["Aligned", "word_logit"]

BUNDLED = DATA / "detectors" / "aligned.npz"
LAYERS = ("see", "compare", "hidden", "out")
FloatArray = NDArray[np.float32]


@dataclass(frozen=True)
class Aligned(Detector):
    """Every word beside the one it is most like on the other side; the same weights for both.

    It sees what is missing, what moved and what kept its neighbours, in any language, but not
    what a word means.
    """

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
        return np.array(
            [expit(word_logit(weights, *word_features(a, b, language))) for a, b in pairs]
        )

    def fields(self, language: str) -> dict[str, str]:
        """The hash of the weights."""
        return {"weights": fingerprint([self._file])}


def word_logit(weights: Weights, one: FloatArray, two: FloatArray) -> float:
    """The log-odds that two sentences, given as a row for each word, mean the same."""
    a, b = _pooled(weights, one), _pooled(weights, two)
    hidden = _layer(weights, "hidden", np.concatenate([a + b, np.abs(a - b)]))
    return float(weights["out.weight"][0] @ hidden + weights["out.bias"][0])


def _pooled(weights: Weights, rows: FloatArray) -> FloatArray:
    """Each word with its neighbours through two layers, then their mean and their largest."""
    seen = _layer(weights, "see", _with_neighbours(rows))
    seen = _layer(weights, "compare", _with_neighbours(seen))
    return np.concatenate([seen.mean(axis=0), seen.max(axis=0)])


def _with_neighbours(rows: FloatArray) -> FloatArray:
    padded = np.pad(rows, ((1, 1), (0, 0)))
    return np.concatenate([padded[:-2], rows, padded[2:]], axis=1)


def _layer(weights: Weights, name: str, rows: FloatArray) -> FloatArray:
    return np.asarray(np.maximum(rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"], 0))


@lru_cache(maxsize=4)
def _load(path: Path) -> Weights:
    names = [f"{layer}.{part}" for layer in LAYERS for part in ("weight", "bias")]
    weights = load_weights(path, names)
    with fitting(path):
        word_logit(weights, *word_features("a b", "b", "en"))
    return weights
