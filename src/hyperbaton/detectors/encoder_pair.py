"""`encoder-pair:FOLDER`: the alignment network on the states of a translator's encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hyperbaton.base.content import fingerprint, read_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.npz import fitting
from hyperbaton.detectors.alignment import Weights, load_weights, logit
from hyperbaton.detectors.detector import Detector, Pair, Probabilities
from hyperbaton.hub import Source
from hyperbaton.language.languages import base
from hyperbaton.metrics.metric import versions
from hyperbaton.metrics.neural.encoder import load_encoder
from hyperbaton.metrics.neural.models import identity

__all__ = ["CONFIG", "WEIGHTS", "EncoderPair", "encoder_states"]

CONFIG, WEIGHTS = "encoder-pair.json", "head.npz"


@dataclass(frozen=True)
class EncoderPair(Detector):
    """A folder that `hyperbaton train detector --encoder` wrote: a head, and where its encoder is.

    The encoder stays as translation taught it; only the head was trained on labelled pairs.
    """

    name: ClassVar[str] = "encoder-pair"
    positional: ClassVar[str | None] = "folder"

    folder: str
    encoder: str = ""
    """The encoder's folder, where it is no longer where it was in training."""
    device: str = "auto"

    @property
    def commutative(self) -> bool:
        """Sentences are read apart, and every pair is compared in one order."""
        return True

    @property
    def _path(self) -> Path:
        return Path(self.folder).expanduser()

    @property
    def _encoder(self) -> str:
        return self.encoder or str(_config(self._path / CONFIG)["encoder"])

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """Each distinct sentence is encoded once."""
        weights = _head(self._path / WEIGHTS)
        texts = sorted({text for pair in pairs for text in pair})
        states = dict(
            zip(texts, encoder_states(self._encoder, texts, language, self.device), strict=True)
        )
        return np.array([expit(logit(weights, states[a], states[b])) for a, b in pairs])

    def fields(self, language: str) -> dict[str, str]:
        """Head and encoder by their hashes."""
        return {
            "head": fingerprint([self._path / WEIGHTS]),
            "encoder": identity(Source(self._encoder)),
            **versions("torch", "transformers"),
        }


def encoder_states(
    folder: str, texts: Sequence[str], language: str, device: str = "auto"
) -> list[NDArray[np.float32]]:
    """What the encoder makes of each token, the target-language mark and the end included."""
    encoder = load_encoder(Source(folder), None, device, None)
    mark = _mark(encoder.tokenizer.get_vocab(), language)
    found: list[NDArray[np.float32]] = [np.empty((0, 0), np.float32)] * len(texts)
    for place, (_, states) in encoder.encode([mark + text for text in texts], 8192):
        found[place] = states.numpy().astype(np.float32)
    return found


def _mark(vocabulary: dict[str, int], language: str) -> str:
    """What a multilingual model wants before the text: the language to translate into."""
    mark = ">>de<<" if base(language) == "en" else ">>en<<"
    return f"{mark} " if mark in vocabulary else ""


@lru_cache(maxsize=8)
def _config(path: Path) -> dict[str, object]:
    try:
        found = read_json(path)
        if not isinstance(found, dict) or not isinstance(found.get("encoder"), str):
            raise HyperbatonError("no encoder is named")
        return found
    except HyperbatonError:
        raise HyperbatonError(
            f"{path.parent} holds no detector of hyperbaton train detector --encoder "
            f"(no readable {path.name})"
        ) from None


@lru_cache(maxsize=4)
def _head(path: Path) -> Weights:
    weights = load_weights(path)
    with fitting(path):
        width = weights["project.weight"].shape[1]
        logit(weights, np.zeros((2, width), np.float32), np.zeros((1, width), np.float32))
    return weights
