"""The rows that the whole study is made of, read from runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import Run
from hyperbaton.studies.isometry.study import BLEU, CHRF, DETECTOR, PARAPHRASE
from hyperbaton.studies.judged_pairs import Judged
from hyperbaton.studies.layer.sources import Source, sources
from hyperbaton.studies.sides import dataset_name, read_sides

__all__ = ["judged_runs"]


def judged_runs(runs: Sequence[Run], epsilon: float) -> list[Judged]:
    """Every system on every data set; what was not translated is left out."""
    asked = [source for source in sources(runs, with_runs=False) if not source.pole]
    every = [(_judged(source, epsilon), source.run.folder.name) for source in asked]
    found = [(judged, folder) for judged, folder in every if len(judged)]
    if not found:
        raise HyperbatonError("no pair was translated and judged: there is nothing to report")
    names = Counter(judged.name for judged, _ in found)
    # The same system on the same data in two runs is told apart by the run's name.
    return [
        one if names[one.name] == 1 else replace(one, dataset=f"{one.dataset} in {folder}")
        for one, folder in found
    ]


def _judged(source: Source, epsilon: float) -> Judged:
    metrics = [metric for metric in source.run.metrics if metric.startswith(DETECTOR)]
    if not metrics:
        raise HyperbatonError(f"{source.run.folder} has no detector: add one with --detector")
    rows, scores = read_sides(source, PARAPHRASE, (CHRF, BLEU, *metrics))
    return Judged(
        system=source.system,
        dataset=dataset_name(source),
        detectors=tuple(getattr(METRICS.parse(metric), "detector", metric) for metric in metrics),
        items=tuple(rows["item"].to_list()),
        source=tuple(rows["source"].to_list()),
        varied=tuple(rows["varied"].to_list()),
        output=tuple(rows["output"].to_list()),
        varied_output=tuple(rows["varied_output"].to_list()),
        probabilities=np.stack([scores[metric] for metric in metrics], axis=1),
        chrf=scores[CHRF],
        bleu=scores[BLEU],
        gold=tuple(None if v is None else int(v) for v in rows["label"].to_list()),
        epsilon=epsilon,
        pair=str(source.pair),
    )
