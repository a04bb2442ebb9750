"""SIB-200 as its authors use it: which of seven topics is a sentence about? (Adelani 2024)"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.tasks.rows import chosen
from hyperbaton.tasks.sib200 import Splits, codes, rows
from hyperbaton.tasks.task import Examples
from hyperbaton.tasks.tuned import Tuned, labelled

__all__ = ["Topics"]


@dataclass(frozen=True)
class Topics(Tuned):
    """English sentences to learn from, the test split of every other language."""

    name: ClassVar[str] = "sib200-topics"
    known: ClassVar[str] = "eng_Latn"
    kind = "single"
    labels: ClassVar[tuple[str, ...]] = (
        "entertainment",
        "geography",
        "health",
        "politics",
        "science/technology",
        "sports",
        "travel",
    )

    def languages(self, folder: Path) -> tuple[str, ...]:
        """All."""
        return tuple(codes(folder))

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The test split of a language."""
        return self._split(folder, chosen(language, codes(folder), folder), "test", limit)

    def training(self, folder: Path) -> Examples:
        return self._split(folder, self.known, "train")

    def validation(self, folder: Path) -> Examples:
        return self._split(folder, self.known, "dev")

    def _split(
        self, folder: Path, language: str, split: Splits, limit: int | None = None
    ) -> Examples:
        found = [(int(n), ((text,), topic)) for n, topic, text in rows(folder, language, split)]
        return labelled(sorted(found), self.labels, folder, limit)
