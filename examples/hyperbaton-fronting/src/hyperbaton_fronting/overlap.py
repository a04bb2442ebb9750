"""A metric: how many words two texts share, in whatever order."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, Statistics

__all__ = ["WordOverlap"]

_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class WordOverlap(Metric):
    """Twice the shared words over all words (Dice); a corpus score adds the counts first.

    >>> metric = WordOverlap()
    >>> metric.sentence_scores(["soon she comes", "no"], ["she comes soon", "yes"])
    array([1., 0.])
    >>> metric.corpus_score(["soon she comes", "no"], ["she comes soon", "yes"])
    0.75
    """

    name: ClassVar[str] = "WordOverlap"
    lowercase: bool = False

    @property
    def symmetric(self) -> bool:
        """What is shared has no direction."""
        return True

    def measure(self, segments: Segments) -> Statistics:
        """For each pair: shared words twice, all words."""
        pairs = zip(segments.hypotheses, segments.references, strict=True)
        rows = []
        for one, two in ((self._words(a), self._words(b)) for a, b in pairs):
            rows.append((2 * (one & two).total(), one.total() + two.total()))
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """Two empty texts are the same."""
        shared, words = statistics[..., 0], statistics[..., 1]
        return np.asarray(np.where(words == 0, 1.0, shared / np.maximum(words, 1)))

    def fields(self, level: Level) -> dict[str, str]:
        """What a reader must know."""
        return {"case": "lc" if self.lowercase else "mixed", "tok": "words+marks"}

    def _words(self, text: str) -> Counter[str]:
        return Counter(_WORD.findall(text.lower() if self.lowercase else text))
