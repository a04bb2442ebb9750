"""Translation edit rate (Snover et al. 2006), by sacreBLEU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, Statistics, versions

if TYPE_CHECKING:
    from sacrebleu.metrics import ter


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
        library = self._library()
        known: dict[tuple[str, str], tuple[float, float]] = {}
        rows = []
        for pair in zip(segments.hypotheses, segments.references, strict=True):
            if pair not in known:
                found = library.sentence_score(pair[0], [pair[1]])
                known[pair] = (found.num_edits, found.ref_length)
            rows.append(known[pair])
        return np.array(rows, np.float64).reshape(-1, 2)

    def _library(self) -> ter.TER:
        from sacrebleu.metrics import ter

        return ter.TER(
            normalized=self.normalized,
            no_punct=not self.punctuation,
            asian_support=self.asian,
            case_sensitive=not self.lowercase,
        )

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
