"""Metrics of edits: exact match (RB of the grammar paper), and edit distance (Levenshtein 1966)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric, versions
from hyperbaton.metrics.tokens import Tokens, settle, tokenise

Unit = Literal["word", "char"]


@dataclass(frozen=True)
class ExactMatch(SentenceMetric):
    """1 for two equal texts, 0 for any others.

    >>> ExactMatch().sentence_scores(["Ja.", "Nein"], ["Ja.", "Nein."])
    array([1., 0.])
    """

    name: ClassVar[str] = "ExactMatch"
    percent: ClassVar[bool] = True
    symmetric = True

    def score_each(self, segments: Segments) -> Scores:
        """Compare text with text."""
        same = map(str.__eq__, segments.hypotheses, segments.references)
        return np.fromiter(same, np.bool_, len(segments)).astype(np.float64)

    def fields(self, level: Level) -> dict[str, str]:
        """Nothing to set."""
        return {}


@dataclass(frozen=True)
class Levenshtein(SentenceMetric):
    """Similarity 1 − distance / length of the longer text.

    >>> Levenshtein().sentence_scores(["we go home ."], ["home we go ."])
    array([0.5])
    >>> Levenshtein(unit="char").sentence_scores(["kitten"], ["sitting"]).round(4)
    array([0.5714])
    """

    name: ClassVar[str] = "Levenshtein"
    _scorer: ClassVar[str] = "normalized_similarity"
    symmetric = True

    unit: Unit = "word"
    tokens: Tokens = "auto"

    def for_language(self, language: str) -> Self:
        """With the tokenizer of the language, where none is named."""
        return replace(self, tokens=settle(self.tokens, language))

    def score_each(self, segments: Segments) -> Scores:
        """Compared by rapidfuzz, part by part."""
        from rapidfuzz import distance, process

        scorer = getattr(distance.Levenshtein, self._scorer)
        return np.concatenate(
            [
                process.cpdist(
                    *strings(part, self.unit, self.tokens), scorer=scorer, dtype=np.float64
                )
                for part in segments.parts()
            ]
        )

    def fields(self, level: Level) -> dict[str, str]:
        """What was compared, and by what."""
        words = {"tok": settle(self.tokens)} if self.unit == "word" else {}
        return {"unit": self.unit, **words, **versions("rapidfuzz")}


@dataclass(frozen=True)
class LevenshteinDistance(Levenshtein):
    """How many words or characters must be inserted, deleted or replaced.

    >>> LevenshteinDistance().sentence_scores(["we go home ."], ["home we go ."])
    array([2.])
    """

    name: ClassVar[str] = "LevenshteinDistance"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False
    _scorer: ClassVar[str] = "distance"


def strings(
    segments: Segments, unit: Unit, tokens: Tokens, lowercase: bool = False
) -> tuple[list[str], list[str]]:
    """Hypotheses and references with one character for each unit."""
    if unit == "char":
        return list(segments.hypotheses), list(segments.references)
    from hyperbaton.metrics.kernels.texts import decode, intern

    pairs = intern(segments)
    coded = decode(tokenise(pairs.texts, tokens, lowercase))
    return (
        [coded[i] for i in pairs.hypotheses.tolist()],
        [coded[i] for i in pairs.references.tolist()],
    )
