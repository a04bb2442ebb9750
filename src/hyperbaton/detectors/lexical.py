"""`lexical`: logistic regression on surface features; weak, but it runs everywhere at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hyperbaton.base.content import fingerprint, read_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.corpus.paraphrases import LabelledPair
from hyperbaton.detectors.detector import Detector, Pair, Probabilities
from hyperbaton.detectors.features import FEATURES, features
from hyperbaton.detectors.logistic import fit_logistic
from hyperbaton.language.languages import base

__all__ = ["ANY", "Lexical", "fit_lexical"]

BUNDLED = DATA / "detectors" / "lexical.json"
ANY = "*"
"""The entry for languages that have none of their own."""
Weights = Mapping[str, tuple[NDArray[np.float64], float]]


@dataclass(frozen=True)
class Lexical(Detector):
    """Overlap, word order, numbers, names and negation, weighed as PAWS-X taught.

    >>> detector = Lexical()
    >>> same, other = "The dog chased the cat.", "The cat chased the dog."
    >>> p = detector.probabilities([same, same], [same, other], "en")
    >>> bool(p[0] > 0.5 > p[1])
    True
    """

    name: ClassVar[str] = "lexical"

    parameters: str = ""
    """A file of weights instead of the shipped ones."""

    @property
    def commutative(self) -> bool:
        """No feature asks which sentence comes first."""
        return True

    @property
    def _file(self) -> Path:
        return Path(self.parameters).expanduser() if self.parameters else BUNDLED

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """The logistic function of the weighed features."""
        known = _weights(self._file)
        weights, intercept = known.get(base(language), known[ANY])
        # Row by row: the rounding of a matrix product would depend on the size of the batch.
        rows = features(pairs, language)
        return np.array([expit(np.dot(row, weights) + intercept) for row in rows])

    def fields(self, language: str) -> dict[str, str]:
        """Which weights, known by their hash."""
        own = base(language) in _weights(self._file)
        return {
            "weights": f"{fingerprint([self._file])}({base(language) if own else 'all languages'})"
        }


def fit_lexical(data: Mapping[str, Sequence[LabelledPair]], l2: float = 1.0) -> str:
    """The weights for each language and for all together, as the file holds them."""
    rows = {
        language: features([(pair.first, pair.second) for pair in pairs], language)
        for language, pairs in data.items()
    }
    labels = {language: np.array([p.label for p in pairs]) for language, pairs in data.items()}
    fitted = {language: _fit(rows[language], labels[language], l2) for language in data}
    everything = np.concatenate(list(rows.values())), np.concatenate(list(labels.values()))
    fitted[ANY] = _fit(*everything, l2)
    return json.dumps({"features": FEATURES, "l2": l2, "weights": fitted}, indent=1)


def _fit(rows: NDArray[np.float64], labels: NDArray[np.int64], l2: float) -> dict[str, object]:
    """Fitted on standardised features, so that l2 weighs all alike; stored for plain ones."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    weights, intercept = fit_logistic((rows - mean) / spread, labels, l2)
    plain = weights / spread
    return {
        "intercept": round(float(intercept - plain @ mean), 6),
        "weights": [round(float(weight), 6) for weight in plain],
        "pairs": len(labels),
    }


@lru_cache(maxsize=8)
def _weights(path: Path) -> Weights:
    if not path.is_file():
        raise HyperbatonError(f"there is no file of lexical weights {path}")
    found = read_json(path)
    try:
        if not isinstance(found, dict):
            raise TypeError("not an object")
        if tuple(found["features"]) != FEATURES:
            raise HyperbatonError(
                f"{path} was made for the features of another version: fit it again with "
                "hyperbaton train detector --lexical"
            )
        return {
            language: (np.array(entry["weights"], dtype=np.float64), float(entry["intercept"]))
            for language, entry in found["weights"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise HyperbatonError(f"{path} is not a file of lexical weights: {error}") from None
