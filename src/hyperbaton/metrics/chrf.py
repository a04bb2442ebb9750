"""chrF (Popović 2015) and chrF++ (Popović 2017), as sacreBLEU computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, Statistics, versions

if TYPE_CHECKING:
    from hyperbaton.metrics.kernels.ngrams import Counts

_EPSILON = 1e-16


@dataclass(frozen=True)
class chrF(Metric):
    """F-score of character n-grams; recall counts `beta` times as much as precision.

    `symmetric=true` is the mean of both directions (chrF̄2 of the isometry paper).

    >>> chrF().sentence_scores(["the cat sat on a mat"], ["the cat sat on the mat"]).round(4)
    array([0.6598])
    >>> print(chrF(symmetric=True))
    chrF(symmetric=true)
    """

    name: ClassVar[str] = "chrF"
    percent: ClassVar[bool] = True

    order: int = 6
    beta: int | float = 2
    words: int = 0
    whitespace: bool = False
    lowercase: bool = False
    epsilon: bool = False
    """Average F over all orders (chrF++.py, nltk) in place of precision and recall over those
    that both sides have (sacreBLEU)."""
    symmetric: bool = False

    def __post_init__(self) -> None:
        if self.order < 1 or self.words < 0:
            raise HyperbatonError(f"'{self}': order must be 1 or more, words 0 or more")

    def measure(self, segments: Segments) -> Statistics:
        """As sacreBLEU: for each order the n-grams of hypothesis and reference, and the matches."""
        found = self._counts(segments)
        rows = [_rows(kind) for kind in found]
        if self.symmetric:
            rows += [_rows(kind.swapped()) for kind in found]
        return np.concatenate(rows, axis=-1)

    def _counts(self, segments: Segments) -> list[Counts]:
        from hyperbaton.metrics.kernels.ngrams import counts
        from hyperbaton.metrics.kernels.texts import encode, intern, without_white
        from hyperbaton.metrics.kernels.tokenise import number, table, word_spans

        pairs = intern(segments)
        texts = [text.lower() for text in pairs.texts] if self.lowercase else pairs.texts
        characters = encode(texts)
        letters = characters if self.whitespace else without_white(characters)
        found = [counts(pairs, letters, self.order)]
        if self.words:
            cut = word_spans(characters.units, characters.offsets, table("chrF words"))
            found.append(counts(pairs, number(characters, *cut), self.words))
        return found

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """The score, or the mean of both directions."""
        if not self.symmetric:
            return self._one_way(statistics)
        there, back = np.split(statistics, 2, axis=-1)
        return (self._one_way(there) + self._one_way(back)) / 2

    def _one_way(self, statistics: Statistics) -> Scores:
        hypothesis, reference, matches = (statistics[..., i::3] for i in range(3))
        empty = np.full_like(matches, _EPSILON if self.epsilon else 0.0)
        precision = np.divide(matches, hypothesis, where=hypothesis > 0, out=empty.copy())
        recall = np.divide(matches, reference, where=reference > 0, out=empty)
        if self.epsilon:
            return np.asarray(self._f(precision, recall, _EPSILON).mean(axis=-1))
        both = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(both.sum(axis=-1), 1)
        return self._f(
            np.where(both, precision, 0.0).sum(axis=-1) / orders,
            np.where(both, recall, 0.0).sum(axis=-1) / orders,
            0.0,
        )

    def _f(self, precision: Scores, recall: Scores, otherwise: float) -> Scores:
        factor = self.beta**2
        below = np.asarray(factor * precision + recall)
        above = (1 + factor) * precision * recall
        return np.divide(above, below, where=below > 0, out=np.full_like(below, otherwise))

    def fields(self, level: Level) -> dict[str, str]:
        """sacreBLEU's own fields, and the directions where both are taken."""
        return {
            "nrefs": "1",
            "case": "lc" if self.lowercase else "mixed",
            "eff": "no" if self.epsilon else "yes",
            "nc": str(self.order),
            "nw": str(self.words),
            "space": "yes" if self.whitespace else "no",
            "version": versions("sacrebleu")["sacrebleu"],
            "beta": str(self.beta),
            **({"roles": "both"} if self.symmetric else {}),
        }


@dataclass(frozen=True)
class chrFpp(chrF):
    """chrF with word unigrams and bigrams beside the character n-grams.

    >>> chrFpp().sentence_scores(["the cat sat on a mat"], ["the cat sat on the mat"]).round(4)
    array([0.6744])
    """

    name: ClassVar[str] = "chrF++"
    words: int = 2


def _rows(found: Counts) -> Statistics:
    # A reference without n-grams of an order takes the hypothesis out of that order (sacreBLEU).
    hypothesis = np.where(found.reference > 0, found.hypothesis, 0.0)
    triples = np.stack([hypothesis, found.reference, found.matches], axis=-1)
    return triples.reshape(len(triples), triples.shape[1] * 3)
