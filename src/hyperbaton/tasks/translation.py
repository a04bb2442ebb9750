"""Translation as a task: how good is the translation of the perturbed text?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.tasks.task import TASKS, Examples, Judged, Retrieval, Task


@dataclass(frozen=True)
class Translation(Task):
    """The sentences of a retrieval task, translated into its English ones."""

    name: ClassVar[str] = "translation"
    score: ClassVar[str] = "quality"

    of: str = "starter"
    """The task that lends its sentences: `tatoeba`, `sib200`."""
    metric: str = "chrF"

    def __post_init__(self) -> None:
        METRICS.parse(self.metric)
        if not isinstance(TASKS.parse(self.of), Retrieval) or self.of == self.name:
            raise HyperbatonError(f"translation(of={self.of}): name a retrieval task, as tatoeba")

    @property
    def lent(self) -> Task:
        """The task that lends its sentences."""
        return TASKS.parse(self.of)

    @property
    def known(self) -> str:  # type: ignore[override]
        return self.lent.known

    @property
    def shipped(self) -> bool:  # type: ignore[override]
        return self.lent.shipped

    def languages(self, folder: Path) -> tuple[str, ...]:
        return self.lent.languages(folder)

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        return self.lent.examples(folder, language, limit)

    def judge(self, examples: Examples, translations: Sequence[str | None]) -> Judged:
        """The metric, sentence by sentence; a translation that is not there is left out."""
        references = [examples.answers[place] for place in examples.gold]
        metric = METRICS.parse(self.metric).for_language("en")
        texts = tuple(text or "" for text in translations)
        there = np.array([text is not None for text in translations], dtype=np.float32)
        scores = np.asarray(metric.sentence_scores(texts, references), np.float32)
        return Judged(scores * there, there, texts)
