"""From a run directory to judged pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.detectors.metric import Paraphrase
from hyperbaton.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.pipeline.labels import system_labels
from hyperbaton.studies.isometry.judged import Judged
from hyperbaton.studies.isometry.study import BLEU, CHRF, DETECTOR, PARAPHRASE

__all__ = ["detectors_of", "identity_rows", "judged_runs", "name_of"]

TEXTS = ("source", "varied", "output", "varied_output")


def detectors_of(run: Run) -> tuple[str, ...]:
    """The detectors of a run, by their names as metrics."""
    found = tuple(metric for metric in run.metrics if metric.startswith(DETECTOR))
    if not found:
        raise HyperbatonError(f"{run.folder} has no detector: add one with --detector")
    return found


def _detector(metric: str) -> str:
    """The detector inside of a metric's name."""
    found = METRICS.parse(metric)
    return found.detector if isinstance(found, Paraphrase) else metric


def name_of(run: Run, pair: Pair) -> str:
    """The data set of a run: the name of its folder, the pair where there are several."""
    return run.folder.name if len(run.pairs) == 1 else f"{run.folder.name} {pair}"


def judged_runs(runs: Sequence[Run], epsilon: float) -> list[Judged]:
    """Every system on every data set; pairs that were not translated are left out."""
    short = system_labels(system for run in runs for system in run.systems)
    return [
        replace(_judged(run, pair, system, epsilon), system=short[system])
        for run in runs
        for system in run.systems
        for pair in run.pairs_of(system)
    ]


def _judged(run: Run, pair: Pair, system: str, epsilon: float) -> Judged:
    rows = run.table(pair, system)
    # A system's fault leaves no translation, and without one there is nothing to judge.
    kept = (rows["variant"] == PARAPHRASE) & rows["output"].is_not_null()
    kept &= rows["varied_output"].is_not_null()
    rows = rows.filter(kept)
    if not rows.height:
        raise HyperbatonError(f"{system} translated no pair of {name_of(run, pair)}")
    detectors = detectors_of(run)
    texts = {name: tuple(rows[name].to_list()) for name in TEXTS}
    return Judged(
        system=system,
        dataset=name_of(run, pair),
        detectors=tuple(map(_detector, detectors)),
        items=tuple(rows["item"].to_list()),
        **texts,
        probabilities=np.stack([_sides(run, pair, system, d, kept) for d in detectors], axis=1),
        chrf=_sides(run, pair, system, CHRF, kept),
        bleu=_sides(run, pair, system, BLEU, kept),
        gold=tuple(None if v is None else int(v) for v in rows["label"].to_list()),
        epsilon=epsilon,
        pair=str(pair),
    )


def _sides(run: Run, pair: Pair, system: str, metric: str, kept: pl.Series) -> NDArray[np.float64]:
    """What a metric says of both sides: items × 2."""
    scores = run.table(pair, system, metric, columns=("before", "after")).filter(kept)
    return scores.select("before", "after").to_numpy().astype(np.float64)


def identity_rows(run: Run, pair: Pair, system: str) -> pl.DataFrame:
    """The first sentences translated twice."""
    rows = run.table(pair, system, columns=("variant", "output", "varied_output"))
    return rows.filter(pl.col("variant") == IDENTITY).drop_nulls()
