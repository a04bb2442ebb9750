"""What a model can tell beyond its translation: attention, and the likelihood of a given pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Attended", "Attends", "Scored", "Scores"]


@dataclass(frozen=True)
class Attended:
    """A translation with what the decoder looked at: one row per target piece, one column per
    source piece, language marks and the end of sentence included.

    What is shown is the last layer: the mean of its heads in what `to_ctranslate2` converted, the
    first head in what other tools did."""

    text: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    attention: NDArray[np.float32]


@dataclass(frozen=True)
class Scored:
    """The log-probability of each piece of a given translation, the end of sentence last."""

    pieces: tuple[str, ...]
    log_probs: tuple[float, ...]

    @property
    def total(self) -> float:
        """The log-probability of the whole translation."""
        return sum(self.log_probs)

    @property
    def mean(self) -> float:
        """The log-probability per piece, for comparing translations of different lengths."""
        return self.total / len(self.log_probs)


@runtime_checkable
class Attends(Protocol):
    """A translator that can show its attention."""

    def translate_with_attention(self, texts: Sequence[str]) -> list[Attended]: ...

    def attend_to(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> list[Attended | None]: ...


@runtime_checkable
class Scores(Protocol):
    """A translator that can say how likely it finds a given translation."""

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[Scored]: ...
