"""Tatoeba in LASER's 112 languages (Artetxe & Schwenk), and the starter corpus: retrieval."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.starter import STARTER_LANGUAGES, starter
from hyperbaton.tasks.rows import chosen
from hyperbaton.tasks.task import Bitext, Examples, bitext


@dataclass(frozen=True)
class Tatoeba(Bitext):
    """The folder `tatoeba/v1` of LASER: `tatoeba.deu-eng.deu` and `tatoeba.deu-eng.eng`."""

    name: ClassVar[str] = "tatoeba"
    known: ClassVar[str] = "eng"

    least: int = 500
    """Pairs that a language needs where none is named: with few answers all are easy to find."""

    def languages(self, folder: Path) -> tuple[str, ...]:
        """Those with pairs enough."""
        return tuple(
            code
            for code in _codes(folder)
            if sum(1 for _ in read_lines(_file(folder, code, code))) >= self.least
        )

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The pairs of a language, numbered from 1."""
        chosen(language, _codes(folder), folder)
        texts, english = (
            [line.text for line in islice(read_lines(_file(folder, language, side)), limit)]
            for side in (language, self.known)
        )
        if len(texts) != len(english):
            raise HyperbatonError(
                f"{folder}: {language} has {len(texts)} sentences and {len(english)} in English"
            )
        return bitext([str(n) for n in range(1, len(texts) + 1)], texts, english)


def _file(folder: Path, language: str, side: str) -> Path:
    return folder / f"tatoeba.{language}-eng.{side}"


def _codes(folder: Path) -> list[str]:
    found = sorted(path.name.split(".")[1] for path in folder.glob("tatoeba.*-eng.eng"))
    if not found:
        raise HyperbatonError(
            f"{folder} holds no tatoeba.XXX-eng.eng: name the folder of LASER's Tatoeba with --data"
        )
    return [name.removesuffix("-eng") for name in found]


@dataclass(frozen=True)
class Starter(Bitext):
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
