"""Pairs of texts in tab-separated tables, one for each set and language: PAWS-X and XNLI."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.tasks.rows import tabbed, there
from hyperbaton.tasks.task import Examples
from hyperbaton.tasks.tuned import Part, Row, TunedPairs, labelled, share


class Pairs(TunedPairs):
    """`train-en.tsv`, `dev-de.tsv`, `test-de.tsv`: first text, second text, label."""

    def languages(self, folder: Path) -> tuple[str, ...]:
        """Those with a development set."""
        names = {p.name.split(".")[0].removeprefix("dev-") for p in folder.glob("dev-*.tsv*")}
        if self.known not in names:
            raise HyperbatonError(
                f"{folder} has no dev-{self.known}.tsv: name the folder of {self.name} with --data"
            )
        return tuple(sorted(names))

    def part(self, folder: Path, language: str, part: Part, limit: int | None = None) -> Examples:
        """A set of its own where there is a training set, or a share of the development set."""
        whole = there(folder, f"train-{self.known}.tsv") is not None
        path = there(folder, f"{part if whole else 'dev'}-{language}.tsv")
        if path is None:
            raise HyperbatonError(f"{folder} has no {part}-{language}.tsv")
        rows: list[tuple[int, Row]] = [
            (number, ((cells[0], cells[1]), cells[2]))
            for number, cells in enumerate(tabbed(path, 3), 1)
        ]
        return labelled(rows if whole else share(rows, part), self.labels, path, limit)


@dataclass(frozen=True)
class PawsX(Pairs):
    """Pairs with much the same words, half of them paraphrases; 7 languages."""

    name: ClassVar[str] = "pawsx"
    labels: ClassVar[tuple[str, ...]] = ("0", "1")


@dataclass(frozen=True)
class Xnli(Pairs):
    """Premise, hypothesis and one of three labels; 15 languages."""

    name: ClassVar[str] = "xnli"
    labels: ClassVar[tuple[str, ...]] = ("entailment", "neutral", "contradiction")
