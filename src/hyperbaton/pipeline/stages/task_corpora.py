"""A task in one language as a corpus of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from hyperbaton.corpus.item import Item
from hyperbaton.pipeline.corpora import Corpus
from hyperbaton.pipeline.design import Pair
from hyperbaton.tasks.task import Examples, Task

__all__ = ["TaskCorpus"]


@dataclass(frozen=True)
class TaskCorpus(Corpus):
    """The examples of a task in one language, all or the first."""

    task: Task
    folder: Path
    language: str
    limit: int | None = None

    @property
    def pair(self) -> Pair:  # type: ignore[override]
        """The language whose texts are perturbed, and the one that stays as it is."""
        return Pair(self.language, self.task.known)

    @cached_property
    def examples(self) -> Examples:
        """The examples, read once."""
        found = self.task.examples(self.folder, self.language, self.limit)
        return replace(found, language=self.language)

    def items(self) -> Iterator[Item]:
        examples = self.examples
        for item, texts, gold in zip(examples.ids, examples.texts, examples.gold, strict=True):
            yield Item(item, " ".join(texts), examples.answers[gold] if gold >= 0 else None)

    @property
    def identity(self) -> str:
        some = "" if self.limit is None else f", the first {self.limit}"
        return f"{self.task} in {self.language}{some} ({self.examples.digest})"
