"""What a metric is: a value that scores batches of pairs, and keeps the numbers behind a score.

Scores are on the scale [0, 1] wherever the field multiplies by 100 (`percent`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from hyperbaton import __version__
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Spec

Level = Literal["sentence", "corpus"]
Scores = npt.NDArray[np.float64]
"""One score for each row of statistics."""
Statistics = npt.NDArray[np.float64]
"""Sufficient statistics, one row a segment: sum rows (of a resample), then `from_statistics`."""


@dataclass(frozen=True)
class Segments:
    """A batch of pairs, checked; `sources` only where a metric reads the source text too."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    sources: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for name, column in vars(self).items():
            if column is None:
                continue
            if isinstance(column, str):
                raise HyperbatonError(f"{name} are one string: give a list of texts, ['…']")
            if len(column) != len(self.hypotheses):
                raise HyperbatonError(
                    f"{len(self.hypotheses):,} hypotheses but {len(column):,} {name}: "
                    "give one for each hypothesis, in the same order"
                )
            if not all(issubclass(kind, str) for kind in set(map(type, column))):
                at, wrong = next((i, x) for i, x in enumerate(column) if not isinstance(x, str))
                kind = "missing (None)" if wrong is None else f"of type {type(wrong).__name__}"
                raise HyperbatonError(
                    f"number {at + 1} of the {name} is {kind}: give a string, '' for an empty text"
                )

    def __len__(self) -> int:
        return len(self.hypotheses)

    def parts(self, pairs: int = 1 << 14, characters: int = 1 << 21) -> Iterator[Segments]:
        """The same pairs in batches of limited size, so that memory stays flat.

        >>> [len(part) for part in Segments(["a b"] * 4, ["c d"] * 4).parts(characters=12)]
        [2, 2]
        """
        if len(self) <= pairs and self._characters(0, len(self)) <= characters:
            yield self
            return
        start = 0
        while start < len(self):
            stop = min(start + pairs, len(self))
            while stop - start > 1 and self._characters(start, stop) > characters:
                stop = (start + stop) // 2
            cut = slice(start, stop)
            sources = None if self.sources is None else self.sources[cut]
            yield Segments(self.hypotheses[cut], self.references[cut], sources)
            start = stop

    def _characters(self, start: int, stop: int) -> int:
        sides = (self.hypotheses[start:stop], self.references[start:stop])
        return sum(sum(map(len, side)) for side in sides)


class Metric(Spec, ABC):
    """A similarity κ of two texts; subclasses are frozen dataclasses of its parameters."""

    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    percent: ClassVar[bool] = False
    """Whether the field prints the score times 100."""
    needs_sources: ClassVar[bool] = False

    @property
    def symmetric(self) -> bool:
        """Whether hypothesis and reference may change places."""
        return False

    def statistics(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        sources: Sequence[str] | None = None,
    ) -> Statistics:
        """What each segment adds to a score: an array of segments × numbers."""
        return np.concatenate(list(self.measured(Segments(hypotheses, references, sources))))

    def sentence_scores(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        sources: Sequence[str] | None = None,
    ) -> Scores:
        """One score for each pair."""
        return self.score_each(Segments(hypotheses, references, sources))

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        sources: Sequence[str] | None = None,
    ) -> float:
        """One score for all pairs together."""
        parts = self.measured(Segments(hypotheses, references, sources))
        total = np.sum([part.sum(axis=0) for part in parts], axis=0)
        return float(self.from_statistics(total, "corpus"))

    @abstractmethod
    def measure(self, segments: Segments) -> Statistics:
        """The statistics of checked segments: what a metric has to define."""

    @abstractmethod
    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """Scores from statistics whose last axis is one row; all leading axes are kept."""

    def measured(self, segments: Segments) -> Iterator[Statistics]:
        """The statistics part by part, so that memory does not grow with the batch."""
        return map(self.measure, segments.parts())

    def score_each(self, segments: Segments) -> Scores:
        """The sentence scores of checked segments."""
        parts = self.measured(segments)
        return np.concatenate([self.from_statistics(part, "sentence") for part in parts])

    def for_language(self, language: str) -> Self:
        """The same metric with what it left open (its tokenizer, say) settled for a language."""
        return self

    @abstractmethod
    def fields(self, level: Level) -> dict[str, str]:
        """What a reader must know to get the same number: settings, then versions."""

    def signature(self, level: Level) -> str:
        """The metric, the level and the fields in one line."""
        fields = {"level": level, **self.fields(level), "hyperbaton": __version__}
        return "|".join([str(self), *(f"{name}:{value}" for name, value in fields.items())])


class SentenceMetric(Metric):
    """A metric with no statistics but its own score: the corpus score is the mean."""

    @abstractmethod
    def score_each(self, segments: Segments) -> Scores:
        """The sentence scores of checked segments: what such a metric has to define."""

    def measured(self, segments: Segments) -> Iterator[Statistics]:
        """All in one part: a model sorts and batches better than a cut by position does."""
        return iter([self.measure(segments)])

    def measure(self, segments: Segments) -> Statistics:
        """The score and the count of one, so that sums give means."""
        scores = self.score_each(segments)
        return np.stack([scores, np.ones_like(scores)], axis=-1)

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """The mean."""
        with np.errstate(invalid="ignore"):
            return np.asarray(statistics[..., 0] / statistics[..., 1])


def versions(*packages: str) -> dict[str, str]:
    """The installed versions of packages, for `fields`."""
    return {package: version(package) for package in packages}
