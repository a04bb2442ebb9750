"""Metrics of another package of which it is known what they see: a fact, not an opinion."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

import numpy as np

from hyperbaton.metrics.metric import Level, Scores, Segments, SentenceMetric

ENTRY_POINTS = """\
[hyperbaton.metrics]
Planted = planted_metrics:Planted
"""


def _words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@dataclass(frozen=True)
class Planted(SentenceMetric):
    """`sees` nothing (constant), chance (random), length, order alone, or words alone."""

    name: ClassVar[str] = "Planted"
    sees: str = "constant"

    def score_each(self, segments: Segments) -> Scores:
        """One score a pair."""
        both = zip(segments.hypotheses, segments.references, strict=True)
        return np.array([getattr(self, f"_{self.sees}")(one, other) for one, other in both], float)

    def _constant(self, one: str, other: str) -> float:
        return 0.7

    def _random(self, one: str, other: str) -> float:
        return blake2b(f"{one}\0{other}".encode(), digest_size=2).digest()[0] / 255

    def _length(self, one: str, other: str) -> float:
        short, long = sorted((len(one), len(other)))
        return short / long if long else 1.0

    def _order(self, one: str, other: str) -> float:
        """Of words that both have, and that come once, how many pairs stand in the same order."""
        words = _words_of(other)
        places = {word: at for at, word in enumerate(words) if words.count(word) == 1}
        line = [places[word] for word in _words_of(one) if word in places]
        pairs = [(a, b) for at, a in enumerate(line) for b in line[at + 1 :]]
        return float(np.mean([a <= b for a, b in pairs])) if pairs else float(bool(line))

    def _words(self, one: str, other: str) -> float:
        """The share of words that both have, wherever they stand."""
        mine, theirs = Counter(_words_of(one)), Counter(_words_of(other))
        return 2 * (mine & theirs).total() / ((mine.total() + theirs.total()) or 1)

    def fields(self, level: Level) -> dict[str, str]:
        """What it sees."""
        return {"sees": self.sees}
