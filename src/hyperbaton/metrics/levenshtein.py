"""Edit distance (Levenshtein 1966) of words or characters, by rapidfuzz."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from hyperbaton.metrics.alignment import Unit, strings
from hyperbaton.metrics.metric import Level, Scores, SentenceMetric, versions
from hyperbaton.metrics.segments import Segments
from hyperbaton.metrics.tokens import Tokens, settle

__all__ = ["Levenshtein", "LevenshteinDistance"]


@dataclass(frozen=True)
class Levenshtein(SentenceMetric):
    """Similarity 1 − distance / length of the longer text.

    >>> Levenshtein().sentence_scores(["we go home ."], ["home we go ."])
    array([0.5])
    >>> Levenshtein(unit="char").sentence_scores(["kitten"], ["sitting"]).round(4)
    array([0.5714])
    """

    name: ClassVar[str] = "Levenshtein"

    unit: Unit = "word"
    tokens: Tokens = "auto"

    @property
    def symmetric(self) -> bool:
        """An edit can be undone."""
        return True

    def for_language(self, language: str) -> Self:
        """With the tokenizer of the language, where none is named."""
        return replace(self, tokens=settle(self.tokens, language))

    def score_each(self, segments: Segments) -> Scores:
        """The similarities, part by part."""
        return _compare(segments, self.unit, self.tokens, "normalized_similarity")

    def fields(self, level: Level) -> dict[str, str]:
        """What was compared, and by what."""
        return _fields(self.unit, self.tokens)


@dataclass(frozen=True)
class LevenshteinDistance(SentenceMetric):
    """How many words or characters must be inserted, deleted or replaced.

    >>> LevenshteinDistance().sentence_scores(["we go home ."], ["home we go ."])
    array([2.])
    """

    name: ClassVar[str] = "LevenshteinDistance"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False

    unit: Unit = "word"
    tokens: Tokens = "auto"

    @property
    def symmetric(self) -> bool:
        """An edit can be undone."""
        return True

    def for_language(self, language: str) -> Self:
        """With the tokenizer of the language, where none is named."""
        return replace(self, tokens=settle(self.tokens, language))

    def score_each(self, segments: Segments) -> Scores:
        """The distances, part by part."""
        return _compare(segments, self.unit, self.tokens, "distance")

    def fields(self, level: Level) -> dict[str, str]:
        """What was compared, and by what."""
        return _fields(self.unit, self.tokens)


def _compare(
    segments: Segments,
    unit: Unit,
    tokens: Tokens,
    measure: Literal["distance", "normalized_similarity"],
) -> Scores:
    from rapidfuzz import distance, process

    scorer = getattr(distance.Levenshtein, measure)
    scores = []
    for part in segments.parts():
        hypotheses, references = strings(part, unit, tokens)
        scores.append(process.cpdist(hypotheses, references, scorer=scorer, dtype=np.float64))
    return np.concatenate(scores)


def _fields(unit: Unit, tokens: Tokens) -> dict[str, str]:
    words = {"tok": settle(tokens)} if unit == "word" else {}
    return {"unit": unit, **words, **versions("rapidfuzz")}
