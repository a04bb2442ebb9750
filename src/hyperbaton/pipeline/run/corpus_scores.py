"""Scores of a whole corpus, or of some of its rows, out of a run's statistics: no text is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.metrics import Metric, SentenceMetric
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.run.layout import STATISTICS
from hyperbaton.pipeline.stages.scoring import settled

if TYPE_CHECKING:
    from hyperbaton.pipeline.run.results import Run

Sums = NDArray[np.float64]
"""Items × numbers: the statistics of an item's rows, added up."""


def settled_metric(run: Run, pair: Pair, metric: str, comparison: str) -> Metric:
    """The metric in the language of a comparison, or a sentence on what the run has instead."""
    known = run.record.comparisons
    if comparison not in known:
        hint = did_you_mean(comparison, known)
        raise HyperbatonError(
            f"{run.folder} compares nothing as '{comparison}' (it has: {', '.join(known)}).{hint}"
        )
    metrics = known[comparison].metrics or ()
    if metric not in metrics:
        raise HyperbatonError(
            f"{run.folder} has no {comparison} by {metric}: it has {', '.join(metrics) or 'none'}"
        )
    language = pair.source if known[comparison].side == "source" else pair.target
    return settled(metric, language)


def item_sums(
    run: Run,
    pair: Pair,
    systems: Sequence[str],
    metric: str,
    comparison: str,
    rows: pl.Expr | None,
) -> tuple[tuple[str, ...], list[Sums]]:
    """The items and, for each system, their statistics.

    Only rows that every one of the systems has a score for are counted, so that differences are
    between the same rows.
    """
    own = isinstance(settled_metric(run, pair, metric, comparison), SentenceMetric)
    column = comparison if own else comparison + STATISTICS
    conditions = rows.meta.root_names() if rows is not None else []
    scores = [run.parts(pair, system, metric, [column]) for system in systems]
    given = run.parts(pair, systems[0], metric, ["item", *conditions])
    items: list[str] = []
    sums: list[list[Sums]] = [[] for _ in systems]
    for frame, *scored in zip(given, *scores, strict=True):
        columns = [part[column] for part in scored]
        chosen = pl.lit(True) if rows is None else rows.fill_null(False)
        kept = frame.with_columns(chosen.alias("kept"))["kept"]
        for values in columns:
            kept &= values.is_not_null()
        if not kept.any():
            continue
        names = frame["item"].filter(kept)
        distinct = names.unique(maintain_order=True)
        owners = names.to_frame().join(
            distinct.to_frame().with_row_index("owner"), on="item", maintain_order="left"
        )["owner"]
        items += distinct.to_list()
        for found, values in zip(sums, columns, strict=True):
            table = _table(values.filter(kept), own)
            total = np.zeros((len(distinct), table.shape[1]))
            np.add.at(total, owners.to_numpy(), table)
            found.append(total)
    if not items:
        raise HyperbatonError(f"{run.folder} has no {comparison} of these rows in {pair}")
    return tuple(items), [np.concatenate(some) for some in sums]


def _table(values: pl.Series, own: bool) -> Sums:
    """Rows × numbers; a metric without statistics has its score, and a 1 to count it."""
    if not own:
        return np.asarray(values.to_numpy(), dtype=np.float64)
    scores = values.to_numpy().astype(np.float64)
    return np.stack([scores, np.ones_like(scores)], axis=-1)
