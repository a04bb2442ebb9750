"""XGLUE's tables: questions and answers, queries and advertisements, queries and pages."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.tasks.rows import found, tabbed
from hyperbaton.tasks.task import Examples
from hyperbaton.tasks.tuned import Part, TunedPairs, labelled

__all__ = ["Xglue"]


class Xglue(TunedPairs):
    """`xglue.NAME.en.train`, `xglue.NAME.de.dev` and so on: texts, then the label in the end.

    The first text is one side of the pair, the others together are the other.
    """

    texts: ClassVar[int] = 2

    def languages(self, folder: Path) -> tuple[str, ...]:
        """Those with a test set."""
        paths = folder.glob(f"xglue.{self.name}.*.test*")
        names = sorted({path.name.split(".")[2] for path in paths})
        if not names:
            raise HyperbatonError(
                f"{folder} has no xglue.{self.name}.XX.test: name the folder of {self.name} in "
                "XGLUE with --data"
            )
        return tuple(names)

    def part(self, folder: Path, language: str, part: Part, limit: int | None = None) -> Examples:
        path = found(folder, f"xglue.{self.name}.{language}.{part}")
        rows = [
            (number, ((cells[0], " ".join(cells[1 : self.texts])), cells[self.texts].strip()))
            for number, cells in enumerate(tabbed(path, self.texts + 1), 1)
        ]
        return labelled(rows, self.labels, path, limit)
