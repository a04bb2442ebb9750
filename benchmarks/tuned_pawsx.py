"""PAWS-X under all perturbations, by the encoder `e5` as it was fine-tuned for a detector.

    python -m benchmarks.tuned_pawsx PAWSX 60 structure-pawsx

makes a run of the structure study without training anything: `e5-pair(trained=edits)` is `e5` that
learnt PAWS-X in seven languages, and the pairs are the first that it was not trained on. So there
is one checkpoint, chosen for no perturbation, and it knows the language that it is tested in.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.held_out_paraphrases import held_out
from hyperbaton.detectors import DETECTORS
from hyperbaton.encoders.e5.tokenizer import pieces_folder
from hyperbaton.encoders.encoder import Read
from hyperbaton.pipeline import Job, RunOptions
from hyperbaton.studies.structure.grid import Grid, TaskCorpus, execute_grid
from hyperbaton.studies.structure.study import PIECES, Structure
from hyperbaton.studies.structure.systems import Cell, OpenSystem
from hyperbaton.systems.store.store import Store
from hyperbaton.tasks import Examples, Judged
from hyperbaton.tasks.pairs import PawsX

DETECTOR = "e5-pair(trained=edits)"
LANGUAGES = ("de", "en", "es", "fr", "ja", "ko", "zh")


@dataclass(frozen=True)
class HeldOut(PawsX):
    """The pairs of all languages that the detector was not trained on."""

    def examples(self, folder: Path, language: str, limit: int | None = None) -> Examples:
        pairs = held_out(folder, LANGUAGES)[language][:limit]
        return Examples(
            tuple(str(pair.row) for pair in pairs),
            tuple((pair.first, pair.second) for pair in pairs),
            tuple(pair.label for pair in pairs),
            self.labels,
        )


class Judge(OpenSystem):
    """The detector's label of each pair."""

    def __init__(self) -> None:
        self._detector = DETECTORS.parse(DETECTOR)
        self.tokenizer = str(pieces_folder())

    def signed(self, language: str) -> str:
        said = (f"{name}:{value}" for name, value in self._detector.fields(language).items())
        return "|".join((DETECTOR, *said))

    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> list[Judged]:
        pairs = list(zip(texts[::2], texts[1::2], strict=True))
        labels = self._detector.judge(pairs, examples.language) >= 0.5
        parts = np.split(labels.astype(np.intp), len(cells))
        return [HeldOut().judge(examples, part) for part in parts]

    def close(self) -> None:
        """Nothing is held."""


def opened(name: str, store: Store | None) -> OpenSystem:
    return Judge()


def main(data: Path, limit: int, out: Path) -> None:
    study = Structure(task="pawsx")
    command = f"python -m benchmarks.tuned_pawsx {data} {limit} {out}"
    job = Job(
        design=study,
        corpora=tuple(TaskCorpus(HeldOut(), data, code, limit) for code in LANGUAGES),
        systems=("e5",),
        options=RunOptions(workers=0, command=command),
    )
    execute_grid(job, Grid(study.settings, study.way.seeds, str(PIECES), opened), out)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
