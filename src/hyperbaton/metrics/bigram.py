"""Bigram-F: how much of the local structure of a text is left (Clouatre et al. 2022)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hyperbaton.metrics.metric import Level, Metric, Scores, Statistics, versions
from hyperbaton.metrics.ngrams import counts
from hyperbaton.metrics.segments import Segments

__all__ = ["bigramF"]


@dataclass(frozen=True)
class bigramF(Metric):
    """F-score of character bigrams, white space kept: the paper's chrF-2, not sacreBLEU's chrF2.

    Two texts too short for a bigram count as one that matches if they are equal.

    >>> bigramF().sentence_scores(["ng.cholThe ss tyar pesettii"], ["The scholar is typesetting."])
    array([0.76923077])
    """

    name: ClassVar[str] = "bigramF"

    beta: int | float = 1

    @property
    def symmetric(self) -> bool:
        """Precision and recall only change places, which β = 1 does not tell apart."""
        return self.beta == 1

    def measure(self, segments: Segments) -> Statistics:
        """Bigrams of hypothesis and reference, and the matches."""
        from hyperbaton.metrics.kernels.texts import encode, intern

        pairs = intern(segments)
        found = counts(pairs, encode(pairs.texts), order=2)
        rows = np.stack(
            [found.hypothesis[:, 1], found.reference[:, 1], found.matches[:, 1]], axis=-1
        )
        short = (rows[:, 0] == 0) & (rows[:, 1] == 0)
        rows[short, :2] = 1
        rows[short, 2] = pairs.hypotheses[short] == pairs.references[short]
        return rows

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """F from the counts: (1 + β²)·matches / (β²·reference + hypothesis)."""
        factor = self.beta**2
        hypothesis, reference, matches = (statistics[..., i] for i in range(3))
        below = factor * reference + hypothesis
        return np.divide((1 + factor) * matches, below, where=below > 0, out=np.zeros_like(below))

    def fields(self, level: Level) -> dict[str, str]:
        """The setting and the package the numbers come from."""
        return {"beta": str(self.beta), "space": "yes", **versions("numpy")}
