"""`Paraphrase:DETECTOR`: a detector as a metric, so that a run stores what it says like any score.

So detectors take part in all that a pipeline does for metrics: parts, resuming, adding one later
without translating again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.detectors import DETECTORS, Detector
from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric


@dataclass(frozen=True)
class Paraphrase(SentenceMetric):
    """P(paraphrase) of hypothesis and reference, in that order, as a detector sees it.

    >>> print(Paraphrase("e5-pair(trained=edits)"))
    Paraphrase:e5-pair(trained=edits)()
    """

    name: ClassVar[str] = "Paraphrase"
    positional: ClassVar[str | None] = "detector"

    detector: str
    language: str = ""

    @property
    def _detector(self) -> Detector:
        return DETECTORS.parse(self.detector)

    @property
    def symmetric(self) -> bool:
        """As the detector is."""
        return self._detector.commutative

    def for_language(self, language: str) -> Paraphrase:
        """A detector must know the language of what it reads."""
        return replace(self, language=language)

    def score_each(self, segments: Segments) -> Scores:
        """One probability a pair."""
        if not self.language:
            raise HyperbatonError(f"'{self}' must be told the language of the texts")
        return self._detector.probabilities(segments.hypotheses, segments.references, self.language)

    def fields(self, level: Level) -> dict[str, str]:
        """Those of the detector."""
        found = self._detector.fields(self.language)
        return {"commutative": "yes" if self.symmetric else "no", **found}
