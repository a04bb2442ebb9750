"""Translation edit rate (Snover et al. 2006), on sacreBLEU's tokens and with its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, Statistics, versions


@dataclass(frozen=True)
class TER(Metric):
    """Edits and shifts of phrases for each word of the reference; 0 is best, and 1 is not worst.

    >>> TER().sentence_scores(["sat the cat on a mat"], ["the cat sat on a mat"]).round(4)
    array([0.1667])
    """

    name: ClassVar[str] = "TER"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False
    percent: ClassVar[bool] = True

    normalized: bool = False
    punctuation: bool = True
    asian: bool = False
    lowercase: bool = True

    def measure(self, segments: Segments) -> Statistics:
        """Edits and length of the reference, each distinct pair once."""
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

        from hyperbaton.metrics.kernels.shifts import edits
        from hyperbaton.metrics.kernels.texts import Sequences, intern

        tokenizer = TercomTokenizer(
            normalized=self.normalized,
            no_punct=not self.punctuation,
            asian_support=self.asian,
            case_sensitive=not self.lowercase,
        )
        pairs = intern(segments)
        texts = [tokenizer(text.rstrip()).split() for text in pairs.texts]
        numbers: dict[str, int] = {}
        words = [numbers.setdefault(word, len(numbers)) for word in chain.from_iterable(texts)]
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        coded = Sequences(np.array(words, np.int32), offsets)
        sides = np.stack([pairs.hypotheses, pairs.references])
        distinct, which = np.unique(sides, axis=1, return_inverse=True)
        hypotheses, references = np.ascontiguousarray(distinct)  # one kind of array to compile for
        rows = [edits(coded, hypotheses, references), coded.lengths[references]]
        return np.array(rows, np.float64).T[which.reshape(-1)]

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """Edits by length; without a reference 1 where there is something to delete."""
        edits, length = statistics[..., 0], statistics[..., 1]
        otherwise = np.asarray(edits > 0, np.float64)
        return np.divide(edits, length, where=length > 0, out=otherwise)

    def fields(self, level: Level) -> dict[str, str]:
        """sacreBLEU's own fields."""
        on = {True: "yes", False: "no"}
        return {
            "nrefs": "1",
            "case": "lc" if self.lowercase else "mixed",
            "tok": "tercom",
            "norm": on[self.normalized],
            "punct": on[self.punctuation],
            "asian": on[self.asian],
            "version": versions("sacrebleu")["sacrebleu"],
        }
