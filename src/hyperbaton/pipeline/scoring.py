"""Probes and outputs to scores: what a worker does beside the translator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polars as pl

from hyperbaton.metrics import METRICS, Metric
from hyperbaton.pipeline.design import Comparison, Pair
from hyperbaton.pipeline.layout import read_part, write_part

__all__ = ["Scoring", "score_part", "settled"]


@dataclass(frozen=True)
class Scoring:
    """What is to be scored: one part of probes, with a system's outputs or without."""

    pair: Pair
    probes: Path
    outputs: Path | None
    comparisons: tuple[Comparison, ...]
    targets: Mapping[str, Path]
    """Where the scores of each metric go."""


@cache
def settled(metric: str, language: str) -> Metric:
    """The metric of a name, ready for a language; a model stays loaded in its process."""
    return METRICS.parse(metric).for_language(language)


def score_part(job: Scoring) -> None:
    """Write a part of scores for each metric, a column for each comparison."""
    wanted = {c.hypothesis for c in job.comparisons} | {c.reference for c in job.comparisons}
    wanted |= {c.source for c in job.comparisons if c.source}
    made = wanted & {"output", "varied_output"}
    rows = read_part(job.probes, ["item", *sorted(wanted - made)])
    if job.outputs is not None and made:
        rows = rows.hstack(read_part(job.outputs, sorted(made)))
    for metric, path in job.targets.items():
        write_part(path, _scores(metric, job.pair, rows, job.comparisons))


def _scores(
    metric: str, pair: Pair, rows: pl.DataFrame, comparisons: Sequence[Comparison]
) -> pl.DataFrame:
    columns: dict[str, pl.Series] = {}
    for side, language in (("source", pair.source), ("target", pair.target)):
        some = [c for c in comparisons if c.side == side]
        if some:
            columns |= _side(settled(metric, language), rows, some)
    return pl.DataFrame([columns[c.name].alias(c.name) for c in comparisons])


def _side(
    metric: Metric, rows: pl.DataFrame, comparisons: Sequence[Comparison]
) -> dict[str, pl.Series]:
    """The scores of comparisons in one language: each distinct pair of texts is scored once."""
    keys = ["hypothesis", "reference", "source"]
    nothing = pl.lit(None, dtype=pl.String)
    stacked = pl.concat(
        rows.select(
            pl.lit(c.name).alias("name"),
            pl.col(c.hypothesis).alias("hypothesis"),
            pl.col(c.reference).alias("reference"),
            (pl.col(c.source) if c.source and metric.needs_sources else nothing).alias("source"),
        )
        for c in comparisons
    )
    needed = keys if metric.needs_sources else keys[:2]
    distinct = stacked.select(keys).drop_nulls(needed).unique(maintain_order=True)
    scores = pl.Series("score", [], dtype=pl.Float64)
    if distinct.height:
        sources = distinct["source"].to_list() if metric.needs_sources else None
        texts = (distinct["hypothesis"].to_list(), distinct["reference"].to_list())
        scores = pl.Series("score", metric.sentence_scores(*texts, sources))
    found = stacked.join(
        distinct.with_columns(scores), on=keys, how="left", nulls_equal=True, maintain_order="left"
    )
    found = found.with_columns(pl.col("score").fill_nan(None))
    return {c.name: found.filter(pl.col("name") == c.name)["score"] for c in comparisons}
