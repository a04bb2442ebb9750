"""What detectors share that are a similarity with a threshold."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.detectors.calibration import Curve, Similarities, read_calibration
from hyperbaton.detectors.detector import Detector, Pair, Probabilities

__all__ = ["SimilarityDetector", "curve_of"]


class SimilarityDetector(Detector):
    """A detector that has a similarity, and turns it into P along a calibrated curve."""

    @property
    def commutative(self) -> bool:
        """A similarity has no sides."""
        return True

    @abstractmethod
    def similarities(self, pairs: Sequence[Pair], language: str) -> Similarities:
        """How alike each pair is, before calibration."""

    @abstractmethod
    def curve(self, language: str) -> Curve:
        """The calibration for a language."""

    @abstractmethod
    def calibrated(self, path: Path) -> Self:
        """The same detector with the calibration of a file."""

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """The similarity, read off the curve."""
        curve = self.curve(language)
        return curve.probability(self.similarities(pairs, language))


def curve_of(
    spec: str, language: str, threshold: float | None, slope: float, calibration: str
) -> Curve:
    """The curve that the options of a detector name."""
    if threshold is not None and calibration:
        raise HyperbatonError(f"'{spec}': give threshold or calibration, not both")
    if threshold is not None:
        return Curve(threshold, slope)
    if calibration:
        return read_calibration(Path(calibration).expanduser(), language)
    raise HyperbatonError(
        f"'{spec}' is not calibrated: give threshold=…, or calibration=FILE made with "
        f"hyperbaton train detector --calibrate '{spec}'"
    )
