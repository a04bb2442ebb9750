"""XCOPA: which of two sentences is the cause, or the result, of a third? (Ponti et al. 2020)"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.tasks.rows import chosen, found, objects
from hyperbaton.tasks.task import Examples
from hyperbaton.tasks.tuned import Row, Tuned, labelled

_KEYS = ("premise", "choice1", "choice2", "question", "label")
_QUESTIONS = {"cause": "What was the cause?", "effect": "What happened as a result?"}


@dataclass(frozen=True)
class Xcopa(Tuned):
    """English COPA to learn from (`copa/train-en.jsonl`), `xcopa/et/val.et.jsonl` and `test`."""

    name: ClassVar[str] = "xcopa"
    known: ClassVar[str] = "en"
    kind = "choice"
    labels: ClassVar[tuple[str, ...]] = ("first", "second")

    def languages(self, folder: Path) -> tuple[str, ...]:
        """The folders in `xcopa`."""
        names = sorted(p.parent.name for p in (folder / "xcopa").glob("*/test.*.jsonl*"))
        if not names:
            raise HyperbatonError(
                f"{folder} has no xcopa/XX/test.XX.jsonl: name the folder that holds copa and "
                "xcopa with --data"
            )
        return tuple(names)

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        """The test set of a language."""
        chosen(language, self.languages(folder), folder)
        return self._read(folder / "xcopa" / language, f"test.{language}.jsonl", limit)

    def training(self, folder: Path) -> Examples:
        return self._read(folder / "copa", "train-en.jsonl")

    def validation(self, folder: Path, language: str) -> Examples:
        if language == self.known:
            return self._read(folder / "copa", "val-en.jsonl")
        return self._read(folder / "xcopa" / language, f"val.{language}.jsonl")

    def _read(self, folder: Path, name: str, limit: int | None = None) -> Examples:
        path = found(folder, name)
        rows = [(number, _row(cells, path)) for number, cells in enumerate(objects(path, _KEYS), 1)]
        return labelled(rows, self.labels, path, limit)


def _row(cells: dict[str, object], path: Path) -> Row:
    """The premise with its question, and both choices."""
    question = _QUESTIONS.get(str(cells["question"]))
    if question is None or cells["label"] not in (0, 1):
        raise HyperbatonError(f"{path}: question is cause or effect, and label 0 or 1")
    first, second = str(cells["choice1"]), str(cells["choice2"])
    label = Xcopa.labels[int(str(cells["label"]))]
    return (f"{cells['premise']} {question}", first, second), label
