"""Exact match: the share of pairs that are the same text (RB of the grammar paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hyperbaton.metrics.metric import Level, Scores, SentenceMetric
from hyperbaton.metrics.segments import Segments

__all__ = ["ExactMatch"]


@dataclass(frozen=True)
class ExactMatch(SentenceMetric):
    """1 for two equal texts, 0 for any others.

    >>> ExactMatch().sentence_scores(["Ja.", "Nein"], ["Ja.", "Nein."])
    array([1., 0.])
    """

    name: ClassVar[str] = "ExactMatch"
    percent: ClassVar[bool] = True

    @property
    def symmetric(self) -> bool:
        """Equality has no direction."""
        return True

    def score_each(self, segments: Segments) -> Scores:
        """Compare text with text."""
        same = map(str.__eq__, segments.hypotheses, segments.references)
        return np.fromiter(same, np.bool_, len(segments)).astype(np.float64)

    def fields(self, level: Level) -> dict[str, str]:
        """Nothing to set."""
        return {}
