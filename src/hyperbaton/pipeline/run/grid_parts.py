"""The parts of a run kept in cells: one row per perturbation, a score for each example in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.pipeline.run.parts import read_part
from hyperbaton.pipeline.run.results import Run
from hyperbaton.pipeline.stages.varying import MEASURES
from hyperbaton.tasks.task import Judged

__all__ = ["CellRow", "cell_frame", "cell_frames"]

_SCHEMA = pl.Schema(
    {
        "variant": pl.String(),
        **{name: pl.Float64() for name in MEASURES},
        "scores": pl.List(pl.Float32()),
        "weights": pl.List(pl.Float32()),
        "shown": pl.List(pl.String()),
        "answers": pl.List(pl.String()),
        "faults": pl.List(pl.String()),
        UNTRANSLATED: pl.List(pl.String()),
    }
)


class CellRow(NamedTuple):
    """One cell: a system, a language, a seed and a perturbation."""

    variant: str
    measures: NDArray[np.float64]
    judged: Judged
    shown: Sequence[str]
    """The first varied texts, of the first part only."""


def cell_frame(rows: Sequence[CellRow]) -> pl.DataFrame:
    """The table of a part; weights that are all 1 are left out."""
    return pl.DataFrame(
        [
            (
                row.variant,
                *row.measures.tolist(),
                row.judged.scores.tolist(),
                None if (row.judged.weights == 1).all() else row.judged.weights.tolist(),
                list(row.shown),
                list(row.judged.answers[: len(row.shown)]),
                list(row.judged.faults),
                list(row.judged.untranslated),
            )
            for row in rows
        ],
        schema=_SCHEMA,
        orient="row",
    )


def cell_frames(run: Run, system: str, pair: Pair) -> Iterator[pl.DataFrame]:
    """The parts of a system and a language, the first seed first."""
    configuration = run.record.configuration(pair, system)
    for part in range(run.record.progress[str(pair)].parts):
        path = run.layout.cells(system, pair, part)
        if not path.exists():
            raise HyperbatonError(
                f"{run.folder} is not complete (no {path.relative_to(run.folder)}): "
                "run its command again, which resumes it"
            )
        yield read_part(path, configuration=configuration)
