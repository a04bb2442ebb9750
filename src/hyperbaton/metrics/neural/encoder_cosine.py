"""Cosine of the vectors of any encoder: meaning across wordings, and across languages too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.encoders import ENCODERS, OpenEncoder
from hyperbaton.metrics.metric import Level, Scores, SentenceMetric
from hyperbaton.metrics.segments import Segments

__all__ = ["COPIED", "Cosine", "TranslatedCosine"]

COPIED = 0.6
"""Cosine of the character n-grams of a source and of what counts as its copy."""


@dataclass(frozen=True)
class Cosine(SentenceMetric):
    """Cosine of the vectors that an encoder gives for two texts.

    A multilingual encoder sees the meaning and not the language: the source itself scores nearly as
    high as its translation. Where the hypothesis is a translation, use `TranslatedCosine`.

    >>> print(Cosine(encoder="e5(compute=int8)"))
    Cosine(encoder="e5(compute=int8)")
    >>> Cosine(encoder="ngrams").sentence_scores(["a b"], ["a b"]).round(3).tolist()
    [1.0]
    """

    name: ClassVar[str] = "Cosine"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    encoder: str = "e5"

    @property
    def symmetric(self) -> bool:
        """A cosine has no sides."""
        return True

    def score_each(self, segments: Segments) -> Scores:
        """One cosine a pair; equal texts are read once."""
        return _cosines(self.encoder, segments.hypotheses, segments.references)

    def fields(self, level: Level) -> dict[str, str]:
        """The encoder as it was loaded."""
        return {"vectors": _opened(self.encoder).signature.replace("|", ";")}


@dataclass(frozen=True)
class TranslatedCosine(SentenceMetric):
    """`Cosine`, and 0 where the source was copied and not translated.

    A copy shares its character n-grams with the source, and more of them than with the reference;
    or it has the letters of the source where the reference has those of another script.

    >>> metric = TranslatedCosine(encoder="ngrams")
    >>> metric.sentence_scores(["die Katze"], ["the cat"], ["die Katze"]).tolist()
    [0.0]
    """

    name: ClassVar[str] = "TranslatedCosine"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    needs_sources: ClassVar[bool] = True

    encoder: str = "e5"

    def score_each(self, segments: Segments) -> Scores:
        """One cosine a pair, or 0 for a copy."""
        scores = _cosines(self.encoder, segments.hypotheses, segments.references)
        sources = segments.sources or []
        to_source = _cosines("ngrams", segments.hypotheses, sources)
        to_reference = _cosines("ngrams", segments.hypotheses, segments.references)
        copied = (to_source >= COPIED) & (to_source > to_reference + 1e-9)
        triples = zip(segments.hypotheses, sources, segments.references, strict=True)
        return np.where(copied | [_same_script(*triple) for triple in triples], 0.0, scores)

    def fields(self, level: Level) -> dict[str, str]:
        """The encoder as it was loaded, and from where on a text is a copy."""
        return {**Cosine(self.encoder).fields(level), "copied": str(COPIED)}


def _same_script(hypothesis: str, source: str, reference: str) -> bool:
    """Whether nearly all letters are those of the source and nearly none those of the reference."""
    letters = [letter for letter in hypothesis if letter.isalpha()]
    known = [sum(letter in text for letter in letters) for text in (source, reference)]
    return bool(letters) and known[0] >= 0.8 * len(letters) and known[1] <= 0.2 * len(letters)


@lru_cache(maxsize=3)
def _opened(encoder: str) -> OpenEncoder:
    return ENCODERS.parse(encoder).open()


def _cosines(encoder: str, one: Sequence[str], two: Sequence[str]) -> Scores:
    unique = list(dict.fromkeys([*one, *two]))
    if not unique:
        return np.empty(0)
    vectors: NDArray[np.float64] = _opened(encoder).encode(unique).astype(np.float64)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(norms == 0, 1, norms)
    place = {text: at for at, text in enumerate(unique)}
    left, right = ([place[text] for text in texts] for texts in (one, two))
    return np.asarray(np.clip(np.einsum("ij,ij->i", vectors[left], vectors[right]), -1, 1))
