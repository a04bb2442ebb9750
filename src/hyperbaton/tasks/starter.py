"""The starter corpus as a retrieval task, so that a study runs on what is shipped."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.corpus.starter import STARTER_LANGUAGES, starter
from hyperbaton.tasks.task import Examples, Retrieval, bitext

__all__ = ["Starter"]


@dataclass(frozen=True)
class Starter(Retrieval):
    """200 everyday sentences in seven languages and English, which come with hyperbaton."""

    name: ClassVar[str] = "starter"
    known: ClassVar[str] = "en"
    shipped: ClassVar[bool] = True

    def languages(self, folder: Path) -> tuple[str, ...]:
        """All but English."""
        return STARTER_LANGUAGES[1:]

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The sentences with their English ones."""
        items = starter(language, self.known, limit)
        english = [item.reference_text or "" for item in items]
        return bitext([i.id for i in items], [i.source_text for i in items], english)
