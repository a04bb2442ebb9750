"""Probes and outputs to scores, by metrics and by the design: what a worker does.

Beside a score stand its sufficient statistics, where the metric has any but the score itself:
sums of them over any rows give the corpus score of these rows, without their texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.metrics import METRICS, Metric, Scores, SentenceMetric, Statistics
from hyperbaton.pipeline.design import IDENTITY, Comparison, Design, Pair
from hyperbaton.pipeline.engine.stages import Key
from hyperbaton.pipeline.run.layout import STATISTICS, Layout
from hyperbaton.pipeline.run.parts import Stamp, read_part, sound, write_part
from hyperbaton.pipeline.run.record import Record
from hyperbaton.pipeline.run.results import Run


@cache
def settled(metric: str, language: str) -> Metric:
    """The metric of a name, ready for a language; a model stays loaded in its process."""
    return METRICS.parse(metric).for_language(language)


@cache
def signed(metric: str, language: str) -> str:
    """The signature of its sentence scores; versions are looked up once."""
    return settled(metric, language).signature("sentence")


def ensure_scores(layout: Layout, record: Record, key: Key) -> None:
    """Score a part by every metric that it has no scores by; without a system, its probes."""
    pair, part, system = key.pair, key.part or 0, key.system or None
    lacking = {}
    for metric in record.metrics:
        comparisons = record.compared(metric, of_outputs=system is not None)
        path = layout.scores(system, pair, metric, part)
        if comparisons and sound(path, record.configuration(pair, system, metric)) is None:
            _check_metric(record, pair, metric)
            lacking[metric] = comparisons
    if lacking:
        score_part(layout, record, key, lacking)


def _check_metric(record: Record, pair: Pair, metric: str) -> None:
    """Refuse a metric that is no longer what it was when the run began."""
    for language, known in record.metrics[metric].items():
        now = signed(metric, language)
        if language in (pair.source, pair.target) and now != known:
            raise HyperbatonError(
                f"this run holds scores of another {metric} ({known}, now {now}): "
                "choose another folder with --out, or delete this one"
            )


def score_part(
    layout: Layout, record: Record, key: Key, compared: Mapping[str, Sequence[Comparison]]
) -> None:
    """Write a part of scores for each metric, a column for each comparison."""
    pair, part, system = key.pair, key.part or 0, key.system or None
    comparisons = [c for some in compared.values() for c in some]
    wanted = {c.hypothesis for c in comparisons} | {c.reference for c in comparisons}
    wanted |= {c.source for c in comparisons if c.source}
    made = wanted & {"output", "varied_output"}
    rows = read_part(layout.probes(pair, part), ["item", "variant", *sorted(wanted - made)])
    if system is not None and made:
        rows = rows.hstack(read_part(layout.outputs(system, pair, part), sorted(made)))
    texts = Texts(rows)
    for metric, some in compared.items():
        stamp = Stamp(record.configuration(pair, system, metric))
        frame = scores_of(metric, pair, texts, some)
        write_part(layout.scores(system, pair, metric, part), frame, stamp)


class Texts:
    """The texts of rows; what is compared is put together once for all metrics."""

    def __init__(self, rows: pl.DataFrame) -> None:
        self._rows = rows
        self._known: dict[object, tuple[pl.DataFrame, list[pl.Series]]] = {}

    def distinct(
        self, comparisons: Sequence[Comparison], with_sources: bool
    ) -> tuple[pl.DataFrame, list[pl.Series]]:
        """Each distinct pair of texts, and where that of each row is, for each comparison."""
        key = (*comparisons, with_sources)
        if key not in self._known:
            self._known[key] = _distinct(self._rows, comparisons, with_sources)
        return self._known[key]


def scores_of(
    metric: str, pair: Pair, texts: Texts, comparisons: Sequence[Comparison]
) -> pl.DataFrame:
    """The scores of rows with their texts, and their statistics: two columns a comparison."""
    columns: dict[str, pl.Series] = {}
    for side, language in (("source", pair.source), ("target", pair.target)):
        some = [c for c in comparisons if c.side == side]
        if some:
            columns |= _side(settled(metric, language), texts, some)
    names = [name for c in comparisons for name in (c.name, c.name + STATISTICS)]
    return pl.DataFrame([columns[name].alias(name) for name in names if name in columns])


def _side(metric: Metric, texts: Texts, comparisons: Sequence[Comparison]) -> dict[str, pl.Series]:
    """The scores of comparisons in one language: each distinct pair of texts is scored once."""
    distinct, places = texts.distinct(comparisons, metric.needs_sources)
    scores, statistics = _scored(metric, distinct)
    columns = {}
    for comparison, place in zip(comparisons, places, strict=True):
        columns[comparison.name] = scores.gather(place)
        if statistics is not None:
            columns[comparison.name + STATISTICS] = statistics.gather(place)
    return columns


def _distinct(
    rows: pl.DataFrame, comparisons: Sequence[Comparison], with_sources: bool
) -> tuple[pl.DataFrame, list[pl.Series]]:
    keys = ["hypothesis", "reference", "source"]
    needed = keys if with_sources else keys[:2]
    stacked = pl.concat(_stacked(rows, c, with_sources) for c in comparisons)
    distinct = stacked.select(keys).drop_nulls(needed).unique(maintain_order=True)
    found = stacked.join(
        distinct.with_row_index("place"),
        on=keys,
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )["place"]
    return distinct, [
        found.slice(number * rows.height, rows.height) for number in range(len(comparisons))
    ]


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


def ensure_judged(layout: Layout, record: Record, design: Design, key: Key) -> None:
    """Run the stage over a whole corpus or a part of it, if that was not done."""
    path = layout.whole(key.system, key.pair, key.part or 0)
    configuration = record.whole_configuration(key.pair, key.system)
    if sound(path, configuration, outdated=True) is None:
        write_part(path, judge(layout, record, design, key), Stamp(configuration))


def judge(layout: Layout, record: Record, design: Design, key: Key) -> pl.DataFrame:
    """What the design says; a table without columns where it says nothing."""
    run = Run(layout.root, key.part, record)
    found = design.whole(run, key.pair, key.system)
    if found is None:
        return pl.DataFrame()
    probes = sum(part.height for part in run.parts(key.pair, columns=["item"]))
    if found.height != probes:
        raise HyperbatonError(
            f"{design.name}: the whole stage gives {counted(found.height, 'row')} for "
            f"{counted(probes, 'probe')}"
        )
    return found
