"""ROUGE-L (Lin 2004): the longest common subsequence of words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from hyperbaton.metrics.edits import strings
from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric, versions
from hyperbaton.metrics.tokens import Tokens, settle


@dataclass(frozen=True)
class ROUGEL(SentenceMetric):
    """F-score of the longest common subsequence; two empty texts score 0.

    >>> ROUGEL().sentence_scores(["police killed the gunman"], ["police kill the gunman"])
    array([0.75])
    """

    name: ClassVar[str] = "ROUGE-L"
    percent: ClassVar[bool] = True

    beta: int | float = 1
    tokens: Tokens = "auto"
    lowercase: bool = False

    @property
    def symmetric(self) -> bool:
        """Precision and recall only change places, which β = 1 does not tell apart."""
        return self.beta == 1

    def for_language(self, language: str) -> Self:
        """With the tokenizer of the language, where none is named."""
        return replace(self, tokens=settle(self.tokens, language))

    def score_each(self, segments: Segments) -> Scores:
        """The F-scores, part by part."""
        return np.concatenate([self._score(part) for part in segments.parts()])

    def _score(self, segments: Segments) -> Scores:
        from rapidfuzz import process
        from rapidfuzz.distance import LCSseq

        hypotheses, references = strings(segments, "word", self.tokens, self.lowercase)
        common = process.cpdist(hypotheses, references, scorer=LCSseq.similarity, dtype=np.float64)
        factor = self.beta**2
        below = factor * _lengths(references) + _lengths(hypotheses)
        return np.divide((1 + factor) * common, below, where=below > 0, out=np.zeros_like(below))

    def fields(self, level: Level) -> dict[str, str]:
        """Settings, and the library that finds the subsequence."""
        return {
            "beta": str(self.beta),
            "case": "lc" if self.lowercase else "mixed",
            "tok": settle(self.tokens),
            **versions("rapidfuzz"),
        }


def _lengths(texts: list[str]) -> Scores:
    return np.fromiter(map(len, texts), np.float64, len(texts))
