"""A fine-tuned model put to a task: the checkpoint is chosen anew for every perturbation.

The choice is made on validation data that are perturbed as the test is, in the language that is
tested unless English is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hyperbaton.encoders.encoder import Read
from hyperbaton.encoders.tuning.finetuning import Checkpoint
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.studies.structure.systems import Cell, OpenSystem
from hyperbaton.studies.structure.varying import Variation, vary
from hyperbaton.tasks.task import Examples, Judged
from hyperbaton.tasks.tuned import Tuned


class TunedModel(OpenSystem):
    """Checkpoints of some trainings; `train` makes those of a training, or resumes it."""

    def __init__(
        self,
        task: Tuned,
        validation: Mapping[str, Examples],
        settings: Sequence[Perturbation],
        seeds: int,
        train: Callable[[int], Sequence[Checkpoint]],
        signature: str,
        tokenizer: str | None,
    ) -> None:
        self._task, self._validation = task, validation
        self._settings, self._seeds = settings, seeds
        self._train, self._signature = train, signature
        self.tokenizer = tokenizer
        self._trained: dict[int, Sequence[Checkpoint]] = {}
        self._right: dict[tuple[str, int], NDArray[np.int64]] = {}

    def signed(self, language: str) -> str:
        return f"{self._signature}|chosen:{self._validation[language].digest}"

    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> list[Judged]:
        """The labels of each cell, by the checkpoint that was chosen for it."""
        size = sum(map(len, examples.texts))
        rows = [_rows(examples, texts[at * size : (at + 1) * size]) for at in range(len(cells))]
        wanted = [self.chosen(examples.language, *cell) for cell in cells]
        judged: dict[int, Judged] = {}
        # One checkpoint after the other, since each is loaded when it is asked.
        for checkpoint in dict.fromkeys(wanted):
            mine = [at for at, one in enumerate(wanted) if one is checkpoint]
            labels = checkpoint.predict([row for at in mine for row in rows[at]])
            for at, part in zip(mine, np.split(labels, len(mine)), strict=True):
                judged[at] = self._task.judge(examples, part)
        return [judged[at] for at in range(len(cells))]

    def chosen(self, language: str, part: int, setting: int) -> Checkpoint:
        """The checkpoint with most right labels on validation data; of equals the earliest."""
        training = part // self._seeds
        if training not in self._trained:
            self._trained[training] = self._train(training)
        checkpoints = self._trained[training]
        if (language, part) not in self._right:
            examples, seed = self._validation[language], part % self._seeds
            self._right[language, part] = self._validated(checkpoints, examples, seed)
        return checkpoints[int(self._right[language, part][:, setting].argmax())]

    def _validated(
        self, checkpoints: Sequence[Checkpoint], examples: Examples, seed: int
    ) -> NDArray[np.int64]:
        """Right labels, checkpoints × settings."""
        cells = [(seed, setting) for setting in self._settings]
        made = vary(Variation.of(examples, cells, self.subwords or self.tokenizer))
        size = sum(map(len, examples.texts))
        rows = [
            row
            for at in range(len(self._settings))
            for row in _rows(examples, made.texts[at * size : (at + 1) * size])
        ]
        gold = np.tile(np.array(examples.gold), len(self._settings))
        right = [checkpoint.predict(rows) == gold for checkpoint in checkpoints]
        counted = np.array(right).reshape(len(checkpoints), len(self._settings), -1)
        return np.asarray(counted.sum(axis=2), np.int64)

    def close(self) -> None:
        self._trained.clear()


def _rows(examples: Examples, texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Varied texts, as many to a row as the example has."""
    rows, at = [], 0
    for clean in examples.texts:
        rows.append(tuple(texts[at : at + len(clean)]))
        at += len(clean)
    return rows
