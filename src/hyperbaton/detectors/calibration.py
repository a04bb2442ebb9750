"""From a similarity to a probability: a logistic curve, its place and slope learnt from labels."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import expit

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.paraphrases import LabelledPair
from hyperbaton.detectors.detector import Pair, Probabilities
from hyperbaton.detectors.scoring import quality
from hyperbaton.language.languages import base

ANY = "*"
_RIDGE = 1e-3
Similarities = Probabilities


@dataclass(frozen=True)
class Curve:
    """P = 1 / (1 + exp(−slope · (similarity − threshold))).

    >>> Curve(0.8, 10.0).probability([0.8, 0.9]).round(3).tolist()
    [0.5, 0.731]
    """

    threshold: float
    slope: float = 20.0

    def probability(self, similarities: ArrayLike) -> Probabilities:
        """P of each similarity; at the threshold it is one half."""
        values = np.asarray(similarities, dtype=np.float64)
        return np.asarray(expit(self.slope * (values - self.threshold)))


def calibrate(similarities: ArrayLike, labels: ArrayLike) -> Curve:
    """The curve of the greatest likelihood (Platt), moved to the threshold of the best macro-F1.

    Platt's own threshold is the best guess of one half; where classes overlap much it may call
    everything one class, so the threshold is searched among the similarities themselves.
    """
    x, y = np.asarray(similarities, dtype=np.float64), np.asarray(labels)
    spread = float(x.std()) or 1.0
    slope, intercept = _platt(x / spread, y)
    slope /= spread
    if slope <= 0:
        raise HyperbatonError(
            "paraphrases are not more similar than other pairs here: this similarity cannot be "
            "calibrated on these pairs"
        )
    return Curve(_best_threshold(x, y, -intercept / slope), slope)


def _platt(x: Probabilities, y: np.ndarray) -> tuple[float, float]:
    """Slope and intercept of the greatest likelihood, the slope held back a little."""
    if not 0 < y.mean() < 1:
        raise HyperbatonError("every label is the same: both kinds of pairs are needed")

    def loss(theta: Probabilities) -> tuple[float, Probabilities]:
        z = theta[0] * x + theta[1]
        wrong = expit(z) - y
        value = np.sum(np.logaddexp(0, z) - y * z) + _RIDGE / 2 * theta[0] ** 2
        return float(value), np.array([wrong @ x + _RIDGE * theta[0], wrong.sum()])

    fitted = minimize(loss, np.zeros(2), jac=True, method="BFGS", options={"gtol": 1e-10})
    slope, intercept = fitted.x.tolist()
    return slope, intercept


def _best_threshold(x: Probabilities, y: np.ndarray, start: float) -> float:
    """Midway between two neighbours; Platt's own where no other is better."""
    values = np.unique(x)
    middles = (values[1:] + values[:-1]) / 2
    if len(middles) > 512:
        middles = np.quantile(middles, np.linspace(0, 1, 512))
    best, found = quality(x, y, start).macro_f1, start
    for middle in middles:
        score = quality(x, y, float(middle)).macro_f1
        if score > best + 1e-12:
            best, found = score, float(middle)
    return found


def fit_curves(
    similarities: Callable[[Sequence[Pair], str], Similarities],
    data: Mapping[str, Sequence[LabelledPair]],
) -> dict[str, Curve]:
    """A curve for each language, and one for all together."""
    found: dict[str, Curve] = {}
    values, labels = [], []
    for language, pairs in data.items():
        ordered = [(min(p.first, p.second), max(p.first, p.second)) for p in pairs]
        values.append(similarities(ordered, language))
        labels.append(np.array([pair.label for pair in pairs]))
        found[language] = calibrate(values[-1], labels[-1])
    found[ANY] = calibrate(np.concatenate(values), np.concatenate(labels))
    return found


def to_json(detector: str, curves: Mapping[str, Curve]) -> str:
    """A calibration as its file holds it; `*` stands for every other language."""
    stored = {language: asdict(curve) for language, curve in curves.items()}
    return json.dumps({"detector": detector, "languages": stored}, indent=1)


@lru_cache(maxsize=16)
def _curves(path: Path) -> dict[str, Curve]:
    if not path.is_file():
        raise HyperbatonError(f"there is no calibration {path}")
    found = read_json(path)
    try:
        if not isinstance(found, dict):
            raise TypeError("not an object")
        return {
            language: Curve(float(entry["threshold"]), float(entry["slope"]))
            for language, entry in found["languages"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise HyperbatonError(f"{path} is not a calibration: {error}") from None


def read_calibration(path: Path, language: str) -> Curve:
    """The curve of a language, or that of all languages together."""
    curves = _curves(path)
    found = curves.get(base(language), curves.get(ANY))
    if found is None:
        raise HyperbatonError(f"{path} has no calibration for '{language}'")
    return found
