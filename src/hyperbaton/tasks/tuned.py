"""Tasks that a model is fine-tuned for: clean English to learn from, other languages to try.

Where a data set has no training set, its development set is split by line: three fifths to learn
from, one to choose a checkpoint, one to test. Lines are the same examples in every language, so
that none of those that are tested was seen.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.tasks.rows import chosen
from hyperbaton.tasks.task import Examples, Judged, Task

Kind = Literal["single", "pair", "choice"]
"""One text, two texts, or a premise and its choices."""
Row = tuple[tuple[str, ...], str]
"""The texts of an example, and its label."""
Part = Literal["train", "dev", "test"]
_SHARES = {"train": (0, 1, 2), "dev": (3,), "test": (4,)}


class Tuned(Task):
    """A task with labels that a fine-tuned model predicts."""

    kind: ClassVar[Kind]
    labels: ClassVar[tuple[str, ...]]

    @abstractmethod
    def training(self, folder: Path) -> Examples:
        """What the model learns from, in the language `known`."""

    @abstractmethod
    def validation(self, folder: Path, language: str) -> Examples:
        """What a checkpoint is chosen on, in a language; perturbed as the test is."""

    def judge(self, examples: Examples, predicted: NDArray[np.intp]) -> Judged:
        """1 where the label is right."""
        right = predicted == np.array(examples.gold)
        names = tuple(examples.answers[label] for label in predicted.tolist())
        return Judged(right.astype(np.float32), np.ones(len(right), np.float32), names)


class TunedPairs(Tuned):
    """Pairs of texts in files of their own for each part and language; English is known."""

    kind = "pair"
    known: ClassVar[str] = "en"

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The test set of a language."""
        return self.part(folder, chosen(language, self.languages(folder), folder), "test", limit)

    def training(self, folder: Path) -> Examples:
        return self.part(folder, self.known, "train")

    def validation(self, folder: Path, language: str) -> Examples:
        return self.part(folder, language, "dev")

    @abstractmethod
    def part(self, folder: Path, language: str, part: Part, limit: int | None = None) -> Examples:
        """The examples of one part in one language."""


def labelled(
    rows: Sequence[tuple[int, Row]], labels: Sequence[str], where: Path, limit: int | None = None
) -> Examples:
    """Examples of numbered rows; an unknown label is named."""
    places = {label: place for place, label in enumerate(labels)}
    rows = rows[:limit]
    for number, (_, label) in rows:
        if label not in places:
            known = ", ".join(labels)
            raise HyperbatonError(f"{where}: line {number} has the label '{label}', not {known}")
    return Examples(
        tuple(str(number) for number, _ in rows),
        tuple(texts for _, (texts, _) in rows),
        tuple(places[label] for _, (_, label) in rows),
        tuple(labels),
    )


def share(rows: Sequence[tuple[int, Row]], part: Part) -> list[tuple[int, Row]]:
    """The rows of a development set that are for training, for validation or for testing.

    >>> rows = [(number, ((f"text {number}",), "yes")) for number in range(1, 11)]
    >>> [[number for number, _ in share(rows, part)] for part in ("train", "dev", "test")]
    [[1, 2, 3, 6, 7, 8], [4, 9], [5, 10]]
    """
    return [row for row in rows if (row[0] - 1) % 5 in _SHARES[part]]
