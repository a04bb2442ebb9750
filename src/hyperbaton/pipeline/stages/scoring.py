"""Probes and outputs to scores, by metrics and by the design: what a worker does.

Beside a score stand its sufficient statistics, where the metric has any but the score itself:
sums of them over any rows give the corpus score of these rows, without their texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.metrics import METRICS, Metric, Scores, SentenceMetric, Statistics
from hyperbaton.pipeline.design import IDENTITY, Comparison, Design, Pair
from hyperbaton.pipeline.run.layout import STATISTICS
from hyperbaton.pipeline.run.parts import Stamp, read_part, sound, write_part
from hyperbaton.pipeline.run.record import Record
from hyperbaton.pipeline.run.results import Run

__all__ = [
    "Judging",
    "Scoring",
    "Target",
    "ensure_judged",
    "ensure_scores",
    "judge",
    "lacking",
    "score_part",
    "scores_of",
    "settled",
    "signed",
]


@dataclass(frozen=True)
class Target:
    """Where the scores of a metric go, and what it compares."""

    path: Path
    comparisons: tuple[Comparison, ...]
    configuration: str
    signatures: Mapping[str, str]
    """What the metric was in each language when the run began."""


@dataclass(frozen=True)
class Scoring:
    """What is to be scored: one part of probes, with a system's outputs or without."""

    pair: Pair
    probes: Path
    outputs: Path | None
    targets: Mapping[str, Target]
    """By metric."""


@cache
def settled(metric: str, language: str) -> Metric:
    """The metric of a name, ready for a language; a model stays loaded in its process."""
    return METRICS.parse(metric).for_language(language)


@cache
def signed(metric: str, language: str) -> str:
    """The signature of its sentence scores; versions are looked up once."""
    return settled(metric, language).signature("sentence")


def lacking(job: Scoring) -> Scoring | None:
    """What is still to be scored; refused where a metric is no longer what it was."""
    targets = {
        metric: target
        for metric, target in job.targets.items()
        if sound(target.path, target.configuration) is None
    }
    for metric, target in targets.items():
        for language, known in target.signatures.items():
            now = signed(metric, language)
            if language in (job.pair.source, job.pair.target) and now != known:
                raise HyperbatonError(
                    f"this run holds scores of another {metric} ({known}, now {now}): "
                    "choose another folder with --out, or delete this one"
                )
    return replace(job, targets=targets) if targets else None


def ensure_scores(job: Scoring) -> None:
    """Score what is not scored yet."""
    left = lacking(job)
    if left is not None:
        score_part(left)


def score_part(job: Scoring) -> None:
    """Write a part of scores for each metric, a column for each comparison."""
    comparisons = [c for target in job.targets.values() for c in target.comparisons]
    wanted = {c.hypothesis for c in comparisons} | {c.reference for c in comparisons}
    wanted |= {c.source for c in comparisons if c.source}
    made = wanted & {"output", "varied_output"}
    rows = read_part(job.probes, ["item", "variant", *sorted(wanted - made)])
    if job.outputs is not None and made:
        rows = rows.hstack(read_part(job.outputs, sorted(made)))
    for metric, target in job.targets.items():
        frame = scores_of(metric, job.pair, rows, target.comparisons)
        write_part(target.path, frame, Stamp(target.configuration))


def scores_of(
    metric: str, pair: Pair, rows: pl.DataFrame, comparisons: Sequence[Comparison]
) -> pl.DataFrame:
    """The scores of rows with their texts, and their statistics: two columns a comparison."""
    columns: dict[str, pl.Series] = {}
    for side, language in (("source", pair.source), ("target", pair.target)):
        some = [c for c in comparisons if c.side == side]
        if some:
            columns |= _side(settled(metric, language), rows, some)
    names = [name for c in comparisons for name in (c.name, c.name + STATISTICS)]
    return pl.DataFrame([columns[name].alias(name) for name in names if name in columns])


def _side(
    metric: Metric, rows: pl.DataFrame, comparisons: Sequence[Comparison]
) -> dict[str, pl.Series]:
    """The scores of comparisons in one language: each distinct pair of texts is scored once."""
    keys = ["hypothesis", "reference", "source"]
    needed = keys if metric.needs_sources else keys[:2]
    stacked = pl.concat(_stacked(rows, c, metric.needs_sources) for c in comparisons)
    distinct = stacked.select(keys).drop_nulls(needed).unique(maintain_order=True)
    scores, statistics = _scored(metric, distinct)
    found = stacked.join(
        distinct.with_row_index("place"),
        on=keys,
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    columns = {}
    for number, comparison in enumerate(comparisons):
        places = found["place"].slice(number * rows.height, rows.height)
        columns[comparison.name] = scores.gather(places)
        if statistics is not None:
            columns[comparison.name + STATISTICS] = statistics.gather(places)
    return columns


def _stacked(rows: pl.DataFrame, comparison: Comparison, with_sources: bool) -> pl.DataFrame:
    """What a comparison compares; nothing in the control rows where they are not scored."""
    nothing = pl.lit(None, dtype=pl.String)
    source = comparison.source if with_sources else None
    scored = pl.lit(True) if comparison.identity else pl.col("variant") != IDENTITY
    return rows.select(
        pl.when(scored).then(pl.col(comparison.hypothesis).cast(pl.String)).alias("hypothesis"),
        pl.col(comparison.reference).cast(pl.String).alias("reference"),
        (pl.col(source) if source else nothing).alias("source"),
    )


def _scored(metric: Metric, texts: pl.DataFrame) -> tuple[pl.Series, pl.Series | None]:
    """A score for each pair of texts, and its statistics where the metric has real ones."""
    none = pl.Series("score", [], dtype=pl.Float64)
    hypotheses, references = texts["hypothesis"].to_list(), texts["reference"].to_list()
    sources = texts["source"].to_list() if metric.needs_sources else None
    if isinstance(metric, SentenceMetric):
        if not texts.height:
            return none, None
        return _known(metric.sentence_scores(hypotheses, references, sources)), None
    if not texts.height:
        return none, _table(_no_statistics(metric))
    statistics = metric.statistics(hypotheses, references, sources)
    return _known(metric.from_statistics(statistics, "sentence")), _table(statistics)


def _no_statistics(metric: Metric) -> Statistics:
    """Statistics of no pair, as wide as those of one."""
    return metric.statistics(["a"], ["a"], ["a"] if metric.needs_sources else None)[:0]


def _known(scores: Scores) -> pl.Series:
    return pl.Series("score", scores, dtype=pl.Float64).fill_nan(None)


def _table(statistics: Statistics) -> pl.Series:
    width = statistics.shape[1]
    rows = np.ascontiguousarray(statistics, dtype=np.float64)
    return pl.Series("statistics", rows, dtype=pl.Array(pl.Float64, width))


@dataclass(frozen=True)
class Judging:
    """What is to be judged, and where it goes."""

    path: Path
    configuration: str
    design: Design
    folder: Path
    record: Record
    pair: Pair
    part: int | None
    """The one part that it is about; all of them where there is none."""
    system: str


def ensure_judged(job: Judging) -> None:
    """Run the stage over a whole corpus or a part of it, if that was not done."""
    if sound(job.path, job.configuration, outdated=True) is None:
        judge(job)


def judge(job: Judging) -> None:
    """Write what the design says; a table without columns where it says nothing."""
    run = Run(job.folder, job.part, job.record)
    found = job.design.whole(run, job.pair, job.system)
    if found is not None:
        probes = sum(part.height for part in run.parts(job.pair, columns=["item"]))
        if found.height != probes:
            raise HyperbatonError(
                f"{job.design.name}: the whole stage gives "
                f"{counted(found.height, 'row')} for {counted(probes, 'probe')}"
            )
    write_part(job.path, pl.DataFrame() if found is None else found, Stamp(job.configuration))
