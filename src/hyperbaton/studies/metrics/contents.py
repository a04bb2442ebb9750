"""The report of the study: the map, single sentences, and all in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

from hyperbaton.base.wording import counted
from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Contents, Explorer, Finding
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.glossary import glossary
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.claims import asked, decided
from hyperbaton.studies.layer.contents import signed
from hyperbaton.studies.layer.evidence import Evidence, Test, known, told, unasked
from hyperbaton.studies.metrics.advice import FAINT, headlines
from hyperbaton.studies.metrics.figures import figures
from hyperbaton.studies.metrics.kinds import CONTROL, EXPLAINED, NONE, ORDER
from hyperbaton.studies.metrics.noticing import Atlas, judged, read_atlas
from hyperbaton.studies.metrics.tables import contests, tables

if TYPE_CHECKING:
    from hyperbaton.studies.metrics.study import Metrics

_MOST = 40_000
"""Rows in the page at most."""
_TEXTS = {
    "source": "source",
    "reference": "reference",
    "translation": "translation",
    "varied": "damaged translation",
}
_GLOSSARY = {**EXPLAINED, **glossary("metrics")}
_DETAIL = (
    "What a change of order costs is |β1 − β2| / β of a translator that carries the order over; "
    "here it is measured by what the translation of another sentence costs"
)


def contents(study: Metrics, runs: Sequence[Run]) -> Contents:
    """Everything that is said of some runs."""
    atlas = read_atlas(runs)
    kinds = counted(len(atlas.kinds()), "kind")
    asked = (
        f"{counted(len(atlas.readings), 'metric')} on {kinds} of damage to "
        f"{counted(atlas.items(), 'translation')} in {counted(len(atlas.pairs), 'language pair')}."
    )
    found = Contents(
        title=study.title,
        summary=f"{study.question} {asked}",
        findings=findings(atlas),
        tables=tables(atlas),
        figures=figures(atlas),
        explorer=_explorer(atlas),
        headlines=headlines(atlas),
        contests=contests(atlas),
        rivals="Metrics",
        opening=f"{asked} Which metric to use for what, then each metric:",
        glossary=_GLOSSARY,
    )
    return signed(found, runs, Bootstrap(), _notes(atlas))


def _notes(atlas: Atlas) -> Iterator[str]:
    yield (
        "Only texts that a damage applies to are counted. Where references are damaged, the "
        "undamaged translation is the reference itself, which no metric scores lower than "
        "anything else: what counts there is a tie, and how strong the reaction is."
    )
    yield (
        "What a wrong sentence costs is the drop where the translation is exchanged for that of "
        "the next sentence of the corpus."
    )
    yield (
        f"A metric forgives a damage whose strength is certainly under {FAINT:.0%}; it is blind "
        "to one that it ties on half of the time or more."
    )
    names = [name for name, family in atlas.families.items() if family == CONTROL]
    if names:
        yield (
            f"{', '.join(names)} is no damage but the reference itself, which a metric should "
            "score higher than the translation; it is in no mean."
        )
    if any(family == NONE for family in atlas.families.values()):
        yield "No mean over kinds of damage includes texts that are no translation at all."


def _explorer(atlas: Atlas) -> Explorer | None:
    """Equally many sentences of each metric and damage; those that it does not notice first."""
    cells = sum(len(reading.cells) for reading in atlas.readings.values())
    most = max(2, _MOST // max(1, cells * len(atlas.pairs)))
    frames = [
        frame
        for run in atlas.runs
        for metric in run.metrics
        if metric in atlas.readings
        for pair in run.pairs
        for frame in [
            judged(run.table(pair, None, metric), metric)
            .with_columns(
                pl.lit(str(pair)).alias("pair"),
                pl.lit(metric).alias("metric"),
                pl.lit(pair.source).alias("source_language"),
                pl.lit(pair.target).alias("target_language"),
                _outcome().alias("outcome"),
            )
            .filter(pl.col("drop").is_not_null())
        ]
    ]
    rows = pl.concat(_few(frame, most) for frame in frames)
    if rows.is_empty():
        return None
    total = sum(frame.height for frame in frames)
    return Explorer(
        rows=rows,
        texts=_TEXTS,
        scores={
            "whole": "score of the translation",
            "damaged": "score of the damaged one",
            "drop": "drop",
        },
        filters={
            "metric": "metric",
            "variant": "damage",
            "family": "family",
            "outcome": "outcome",
            "pair": "languages",
        },
        words={"varied": "words", "reference": "words"},
        orders={"varied": "order"},
        languages={
            name: "source_language" if name == "source" else "target_language" for name in _TEXTS
        },
        item="item",
        within=("pair",),
        along=("variant", "metric"),
        rivals="metric",
        lead="drop",
        compared=("translation", "varied"),
        fields={"damage": "variant"},
        note=f"{rows.height:,} of {total:,} comparisons: of each metric, damage and language pair "
        f"at most {most}, half of them such as the metric does not notice, where there are any.",
    )


def _outcome() -> pl.Expr:
    return (
        pl.when(pl.col("tied"))
        .then(pl.lit("tied"))
        .when(pl.col("noticed"))
        .then(pl.lit("noticed"))
        .otherwise(pl.lit("scored higher"))
    )


def _few(rows: pl.DataFrame, most: int) -> pl.DataFrame:
    """Some of each damage; as many that are noticed as such that are not, as far as they go."""
    half = max(1, most // 2)
    seen = pl.int_range(pl.len()).over("variant", "noticed")
    size = pl.len().over("variant", "noticed").cast(pl.Int64)  # unsigned, it would not go below 0
    other = pl.len().over("variant") - size
    kept = rows.filter(seen < pl.max_horizontal(half, most - other))
    return kept.with_columns(
        pl.col("whole", "damaged", "drop").round(4), pl.col("order", "words")
    ).drop("draw", "severity", "noticed", "tied", "full", "fooled")


def _order(atlas: Atlas) -> Evidence | str:
    """W17: BLEU sees the order, BERTScore, BLEURT and edit distance hardly."""
    costs = {m: one.mean(atlas.kinds([ORDER])).strength for m, one in atlas.readings.items()}
    costs = {metric: cost for metric, cost in costs.items() if known(cost)}
    lead = next((metric for metric in costs if re.match(r"BLEU\b", metric)), "")

    def less(named: str) -> Mapping[str, Aggregate]:
        return {
            f"{lead} minus {metric}": costs[lead] - cost
            for metric, cost in costs.items()
            if lead and re.match(named, metric)
        }

    forgiving, edits = less("BERTScore|BLEURT"), less(r"Levenshtein(?!.*unit=char)")
    if not forgiving:
        vain = [m for m in atlas.readings if re.match("BERTScore|BLEURT", m) and m not in costs]
        why = f" (of {vain[0]}: another sentence costs it nothing certain)" if vain else ""
        beside = f" (edit distance alone: {told(edits)})" if edits else ""
        return f"needs BERTScore or BLEURT, which it is about, beside BLEU{why}{beside}"
    missing = unasked(("BERTScore", "BLEURT", "Levenshtein"), costs)
    detail = f"{missing}. {_DETAIL}" if missing else _DETAIL
    return Evidence("how much more a change of order costs", {**forgiving, **edits}, detail)


TESTS: Mapping[str, Test[Atlas]] = {"W17": _order}


def findings(atlas: Atlas) -> list[Finding]:
    """The claims about metrics, decided together."""
    found = [one for one in asked("wordorder", TESTS, atlas) if one.id in TESTS]
    return decided(found, unit="sentence")
