"""Cosine of sentence embeddings, from any encoder or a sentence-transformers folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.hub import Source, resolve
from hyperbaton.metrics.metric import Level, Scores, SentenceMetric, versions
from hyperbaton.metrics.neural.models import identity
from hyperbaton.metrics.neural.pooling import load_head
from hyperbaton.metrics.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SentenceCosine"]


@dataclass(frozen=True)
class SentenceCosine(SentenceMetric):
    """Cosine of two sentence embeddings.

    A folder with modules.json (sentence-transformers) says how tokens become a sentence; any other
    encoder has the mean of its last layer's states.

    >>> print(SentenceCosine(model="sentence-transformers/LaBSE"))
    SentenceCosine
    """

    name: ClassVar[str] = "SentenceCosine"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    model: str = "sentence-transformers/LaBSE"
    revision: str | None = None
    download: bool = False
    device: str = "auto"
    batch_tokens: int = 8192

    @property
    def symmetric(self) -> bool:
        """A cosine has no sides."""
        return True

    @property
    def _source(self) -> Source:
        return Source(self.model, self.revision, self.download)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The unit vector of each text; equal texts are read once."""
        head = load_head(self._source, self.device)
        unique = list(dict.fromkeys(texts))
        vectors: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(unique)
        for position, (ids, states) in head.encoder.encode(
            [head.prepared(text) for text in unique], self.batch_tokens
        ):
            vectors[position] = head.sentence(ids, states)
        place = {text: i for i, text in enumerate(unique)}
        if not vectors:
            return np.empty((0, 0), np.float32)
        return np.stack(vectors)[[place[text] for text in texts]]

    def score_each(self, segments: Segments) -> Scores:
        """One cosine a pair."""
        both = self.embed([*segments.hypotheses, *segments.references]).astype(np.float64)
        one, two = both[: len(segments)], both[len(segments) :]
        return np.asarray(np.clip(np.einsum("ij,ij->i", one, two), -1, 1))

    def fields(self, level: Level) -> dict[str, str]:
        """How tokens become a sentence, the model as it was read, the versions of what ran it."""
        from hyperbaton.metrics.neural.pooling import describe

        return {
            "pooling": describe(resolve(self._source).folder),
            "revision": identity(self._source),
            **versions("torch", "transformers"),
        }
