"""Similarities with a calibrated threshold; `cosine:MODEL` is that of sentence embeddings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Self

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.detectors.calibration import Curve, Similarities, read_calibration
from hyperbaton.detectors.detector import Detector, Pair, Probabilities
from hyperbaton.metrics.neural.cosine import SentenceCosine


@dataclass(frozen=True)
class SimilarityDetector(Detector):
    """A detector that has a similarity, and turns it into P along a calibrated curve.

    The curve is that of `threshold` and `slope`, or of the file `calibration`.
    """

    commutative = True

    threshold: float | None = field(default=None, kw_only=True)
    slope: float = field(default=20.0, kw_only=True)
    calibration: str = field(default="", kw_only=True)

    @abstractmethod
    def similarities(self, pairs: Sequence[Pair], language: str) -> Similarities:
        """How alike each pair is, before calibration."""

    def curve(self, language: str) -> Curve:
        """The calibration for a language."""
        if self.threshold is not None and self.calibration:
            raise HyperbatonError(f"'{self}': give threshold or calibration, not both")
        if self.threshold is not None:
            return Curve(self.threshold, self.slope)
        if self.calibration:
            return read_calibration(Path(self.calibration).expanduser(), language)
        raise HyperbatonError(
            f"'{self}' is not calibrated: give threshold=…, or calibration=FILE made with "
            f"hyperbaton train detector --calibrate '{self}'"
        )

    def calibrated(self, path: Path) -> Self:
        """The same detector with the calibration of a file."""
        return replace(self, threshold=None, slope=20.0, calibration=str(path))

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """The similarity, read off the curve."""
        curve = self.curve(language)
        return curve.probability(self.similarities(pairs, language))

    def fields(self, language: str) -> dict[str, str]:
        """The curve."""
        curve = self.curve(language)
        return {"threshold": f"{curve.threshold:.6g}", "slope": f"{curve.slope:.6g}"}


@dataclass(frozen=True)
class Cosine(SimilarityDetector):
    """A sentence-transformers folder or any encoder; commutative, as the paper wished for."""

    name: ClassVar[str] = "cosine"
    positional: ClassVar[str | None] = "model"

    model: str
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

    def fields(self, language: str) -> dict[str, str]:
        """The model and the curve."""
        curve = super().fields(language)
        return {**self._metric.fields("sentence"), **curve}
