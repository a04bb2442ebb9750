"""Translation cross-likelihood: would the translation of one text do for the other too?

In the manner of NMTScore (Vamvas & Sennrich 2022). The translator comes from outside: anything
that translates and gives the log-probability of each token of a given translation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric


@runtime_checkable
class PairScorer(Protocol):
    """A translator that can also say how likely a given translation is."""

    @property
    def signature(self) -> str:
        """Model with revision, decoding options, versions, language pair."""

    def translate(self, texts: Sequence[str]) -> Sequence[str]:
        """One translation a text, in order."""

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> Sequence[Sequence[float]]:
        """The natural log-probability of each token of each target, given its source."""


T = TypeVar("T")
Pair = tuple[str, str]


@dataclass(frozen=True)
class CrossLikelihood(SentenceMetric):
    """P(translation of b | a) / P(translation of b | b), averaged over both directions.

    P is the geometric mean over the tokens; `convention=nmtscore` takes 2 to the power of the mean
    natural logarithm, as that package does.
    """

    name: ClassVar[str] = "CrossLikelihood"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    symmetric = True  # averaged over both directions

    scorer: PairScorer
    convention: Literal["geometric", "nmtscore"] = "geometric"

    def score_each(self, segments: Segments) -> Scores:
        """One similarity a pair; every text is translated once, every pair scored once."""
        pairs = list(zip(segments.hypotheses, segments.references, strict=True))
        translation = self._translations([text for pair in pairs for text in pair])
        directed = [*pairs, *((b, a) for a, b in pairs)]
        asked = [(a, translation[b]) for a, b in directed]
        best = [(b, translation[b]) for _, b in directed]
        known = self._probabilities([*asked, *best])
        ratios = [known[one] / known[other] for one, other in zip(asked, best, strict=True)]
        scores: Scores = np.array(ratios, dtype=np.float64).reshape(2, -1).mean(axis=0)
        return scores

    def _translations(self, texts: Sequence[str]) -> dict[str, str]:
        unique = sorted(set(texts), key=lambda text: (len(text), text))
        return dict(zip(unique, _checked(self.scorer.translate(unique), len(unique)), strict=True))

    def _probabilities(self, pairs: Sequence[Pair]) -> dict[Pair, float]:
        unique = sorted(set(pairs), key=lambda pair: (len(pair[1]), pair))
        if not unique:
            return {}
        sources, targets = zip(*unique, strict=True)
        rows = _checked(self.scorer.score(sources, targets), len(unique))
        base = math.e if self.convention == "geometric" else 2.0
        # A target without a token is certain: the product of no probabilities is 1.
        means = [math.fsum(row) / len(row) if len(row) else 0.0 for row in rows]
        return {pair: base**mean for pair, mean in zip(unique, means, strict=True)}

    def fields(self, level: Level) -> dict[str, str]:
        """The translator, and how its probabilities are averaged."""
        return {
            "convention": self.convention,
            "translator": self.scorer.signature,
        }


def _checked(answers: Sequence[T], asked: int) -> Sequence[T]:
    if len(answers) != asked:
        raise HyperbatonError(
            f"the translator gave {counted(len(answers), 'answer')} for {counted(asked, 'text')}"
        )
    return answers
