"""`cosine:MODEL`: the cosine of sentence embeddings, above a calibrated threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

from hyperbaton.detectors.calibration import Curve, Similarities
from hyperbaton.detectors.detector import Pair
from hyperbaton.detectors.similarity import SimilarityDetector, curve_of
from hyperbaton.metrics.neural.cosine import SentenceCosine

__all__ = ["Cosine"]


@dataclass(frozen=True)
class Cosine(SimilarityDetector):
    """A sentence-transformers folder or any encoder; commutative, as the paper wished for."""

    name: ClassVar[str] = "cosine"
    positional: ClassVar[str | None] = "model"

    model: str
    threshold: float | None = None
    slope: float = 20.0
    calibration: str = ""
    revision: str | None = None
    download: bool = False
    device: str = "auto"

    @property
    def _metric(self) -> SentenceCosine:
        return SentenceCosine(self.model, self.revision, self.download, self.device)

    def similarities(self, pairs: Sequence[Pair], language: str) -> Similarities:
        """The cosine of each pair."""
        first, second = [a for a, _ in pairs], [b for _, b in pairs]
        return self._metric.sentence_scores(first, second)

    def curve(self, language: str) -> Curve:
        """From `threshold` and `slope`, or from the file `calibration`."""
        return curve_of(str(self), language, self.threshold, self.slope, self.calibration)

    def calibrated(self, path: Path) -> Self:
        """The same detector with the calibration of a file."""
        return replace(self, threshold=None, slope=20.0, calibration=str(path))

    def fields(self, language: str) -> dict[str, str]:
        """The model and the curve."""
        curve = self.curve(language)
        return {
            **self._metric.fields("sentence"),
            "threshold": f"{curve.threshold:.6g}",
            "slope": f"{curve.slope:.6g}",
        }
