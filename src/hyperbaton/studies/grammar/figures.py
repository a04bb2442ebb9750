"""The figures of the grammar study, and the four texts of a sentence with errors marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from hyperbaton.metrics.tokens import settle, split
from hyperbaton.report.charts.charts import bars, bubbles, dots
from hyperbaton.report.contents import Explorer, Figure
from hyperbaton.studies.grammar.damage import distances, divergence
from hyperbaton.studies.grammar.samples import LearnerSamples
from hyperbaton.studies.grammar.tables import BY_ERRORS, BY_LENGTH, BY_QUARTER, FEWEST, by_type
from hyperbaton.studies.layer.sentences import explorer
from hyperbaton.studies.layer.sources import Source

Row = dict[str, str | float | int | None]
_FARTHEST = 12
"""Damage farther from the error than so many words is taken together."""
_SHOWN = 8
"""Types of error in the figure of distributions."""


def figures(systems: Sequence[LearnerSamples], metric: str) -> list[Figure]:
    """Those for which the corpus has errors enough."""
    return [*_spans(systems, metric), _by_length(systems), *_damage(systems)]


def _spans(systems: Sequence[LearnerSamples], metric: str) -> Iterator[Figure]:
    rows = [
        _span(part, score, errors=name)
        for samples in systems
        for name, part in samples.by(BY_ERRORS, 2)
        for score in ("RB", f"f-{metric}")
    ]
    panels = [str(samples) for samples in systems]
    order = list(BY_ERRORS)
    note = "RB: share of sentences whose translation the errors do not change."
    chart = dots(rows, "errors", order, "panel", "share", panels)
    yield Figure("F1", "Robustness by number of errors", chart, note)
    kinds = [group for samples in systems for group in samples.single.by(by_type(samples))]
    rows = [_span(part, "RB", type=name) for name, part in kinds]
    if rows:
        ordered = sorted(rows, key=lambda row: -float(row["value"] or 0))
        order = list(dict.fromkeys(str(row["type"]) for row in ordered))
        chart = dots(rows, "type", order, "panel", "RB", panels)
        note = "Sentences with a single error."
        yield Figure("T2", "Robustness by type of error", chart, note)


def _span(samples: LearnerSamples, score: str, **names: str) -> Row:
    metric = score.removeprefix("f-")
    robust = score == "RB"
    number = samples.share("same") if robust else samples.corpus_score(metric, "translations")
    row: Row = {"score": score, "panel": str(samples), **names}
    return row | {k: round(getattr(number, k), 4) for k in ("value", "low", "high")}


def _by_length(systems: Sequence[LearnerSamples]) -> Figure:
    rows: list[Row] = [
        {
            "length": length,
            "errors": errors,
            "sentences": len(part),
            "RB": round(part.share("same").value, 4),
            "panel": str(samples),
        }
        for samples in systems
        for length, short in BY_LENGTH.items()
        for errors, some in BY_ERRORS.items()
        if len(part := samples.where(short & some)) > 0.01 * len(samples)
    ]
    orders = (list(BY_LENGTH), list(BY_ERRORS))
    return Figure(
        "F2",
        "Robustness by length and number of errors",
        bubbles(rows, ("length", "errors"), orders, "sentences", "RB", "panel"),
        "Length in words. Large: many sentences (bins over 1 %); dark: robust.",
    )


def _damage(systems: Sequence[LearnerSamples]) -> Iterator[Figure]:
    ones = [samples.single for samples in systems if "figure" in samples.frame.columns]
    if not ones:
        return
    note = (
        "Words of the clean translation that the other lacks, counted from the word that stands "
        f"for the error: below 0 lies to its left; the outermost bars hold all from {_FARTHEST} "
        "words on. All systems together."
    )
    types = {name: e for samples in ones for name, e in [*by_type(samples).items()][:_SHOWN]}
    for number, title, chosen in (
        ("F4", "Where the damage lies, by type of error", types),
        ("F5", "Where the damage lies, by place of the error in the sentence", BY_QUARTER),
    ):
        rows: list[Row] = [
            {"distance": at, "share": round(share, 5), "panel": name}
            for name, expression in chosen.items()
            for lists in [[samples.where(expression).frame["figure"] for samples in ones]]
            for at, share in distances(lists, _FARTHEST, FEWEST)
        ]
        if rows:
            chart = bars(rows, "distance", "share", "panel", list(chosen))
            yield Figure(number, title, chart, note)


_TEXTS = {
    "varied": "as written",
    "source": "corrected",
    "varied_output": "translation of the sentence as written",
    "output": "translation of the corrected sentence",
}
"""The four texts, as the explorer names them."""
_FURTHER = ("clean_words", "noisy_words", "clean_marks", "noisy_marks", "figure", "formula")
"""The columns of a probe that are shown."""
_NOTE = (
    "Marked in the sources: what is wrong, and what stands there instead. Marked in each "
    "translation: the words that the other lacks; where the sentence has one error, with their "
    "distance in words from the word that stands for it."
)


def sentences(sources: Sequence[Source], metric: str) -> Explorer:
    """Single sentences, with errors, corrections and damage marked in all four texts."""
    same = pl.col("output") == pl.col("varied_output")
    robust = pl.when(same).then(pl.lit("unchanged")).otherwise(pl.lit("changed"))
    labels = {"translations": f"f-{metric}", "sources": f"{metric} of the sources"}
    measures = {name: pl.col(name) for name in labels}
    number = pl.col("errors").cast(pl.String)
    filters = {"robust": ("translation", robust), "number": ("errors", number)}
    shown = explorer(sources, metric, labels, measures, filters, _TEXTS, further=_FURTHER)
    parts = shown.rows.partition_by("target_language", maintain_order=True)
    rows = pl.concat(map(_marked, parts)) if parts else shown.rows
    places = {"output": "figure", "varied_output": "formula"}
    names = {"source": "clean", "varied": "noisy", "output": "output"}
    names["varied_output"] = "varied_output"
    return replace(
        shown,
        rows=rows,
        words={text: f"{name}_words" for text, name in names.items()},
        marks={text: f"{name}_marks" for text, name in names.items()},
        labels={text: column for text, column in places.items() if column in rows.columns},
        orders={},
        filters={**shown.filters, "variant": "type of error"},
        along=("system",),  # a sentence has one set of errors
        note=" ".join(filter(None, (shown.note, _NOTE))),
    )


def _marked(rows: pl.DataFrame) -> pl.DataFrame:
    """With the words of both translations into one language, and the places of the damage."""
    tokens = settle("auto", rows["target_language"][0])
    clean, noisy = (
        split(rows[name].fill_null("").to_list(), tokens) for name in ("output", "varied_output")
    )
    both = list(zip(clean, noisy, strict=True))
    places = pl.List(pl.Int32())
    return rows.with_columns(
        pl.Series("output_words", clean, pl.List(pl.String())),
        pl.Series("varied_output_words", noisy, pl.List(pl.String())),
        pl.Series("output_marks", [divergence(a, b, 0) for a, b in both], places),
        pl.Series("varied_output_marks", [divergence(b, a, 0) for a, b in both], places),
    )
