"""How far a run has come, told from the files in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.record import Record

__all__ = ["Steps", "steps"]


class Steps(NamedTuple):
    """Parts of a run that are done, of all that there will be."""

    done: int
    all: int


def steps(layout: Layout, record: Record) -> Steps:
    """The parts of probes, measures, outputs and scores, counted by their files."""
    done = whole = 0
    for name, systems in record.asked.items():
        pair = Pair.parse(name)
        parts = record.progress[name].parts if name in record.progress else 0
        folders = _folders(layout, record, pair, systems)
        whole += len(folders) * max(parts, 1)
        done += sum(min(_parts(folder), max(parts, 1)) for folder in folders)
    return Steps(done, whole)


def _folders(layout: Layout, record: Record, pair: Pair, systems: tuple[str, ...]) -> list[Path]:
    """The folders that hold a part for each part of the corpus."""
    if record.cells:
        return [layout.cells(system, pair, 0).parent for system in systems]
    outputs = [metric for metric in record.metrics if record.compared(metric, True)]
    measures = [metric for metric in record.metrics if record.compared(metric, False)]
    paths = [
        layout.probes(pair, 0),
        *(layout.measures(pair, metric, 0) for metric in measures),
        *(layout.outputs(system, pair, 0) for system in systems),
        *(layout.scores(system, pair, metric, 0) for system in systems for metric in outputs),
    ]
    return [path.parent for path in paths]


def _parts(folder: Path) -> int:
    return sum(1 for _ in folder.glob("part-*.parquet"))
