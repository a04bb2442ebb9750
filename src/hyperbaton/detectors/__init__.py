"""Paraphrase detectors: P(paraphrase | a, b, language), whatever they are made of.

A detector is built of what the rooms beneath offer (metrics, translators, labelled pairs), so this
room stands on a storey of its own: above metrics and systems, below pipeline and studies.
"""

from hyperbaton.base.spec import Registry
from hyperbaton.detectors.detector import Detector, Probabilities

__all__ = ["DETECTORS", "Detector", "Probabilities"]

DETECTORS: Registry[Detector] = Registry(
    "detector",
    {
        "hf-pair": "hyperbaton.detectors.classifier:PairClassifier",
        "cosine": "hyperbaton.detectors.similarity:Cosine",
        "likelihood": "hyperbaton.detectors.likelihood:Likelihood",
        "e5-pair": "hyperbaton.detectors.e5_pair:E5Pair",
        "recorded": "hyperbaton.detectors.recorded:Recorded",
    },
)
"""Every detector by name."""
