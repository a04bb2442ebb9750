"""The figures of the grammar study, and the four texts of a sentence with errors marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from hyperbaton.metrics.tokens import settle, split
from hyperbaton.report.charts.charts import bars, bubbles, dots
from hyperbaton.report.contents import Explorer, Figure
from hyperbaton.studies.grammar.damage import distances, divergence
from hyperbaton.studies.grammar.samples import Pool
from hyperbaton.studies.grammar.tables import (
    FEWEST,
    by_errors,
    by_length,
    by_quarter,
    by_type,
    single,
)

__all__ = ["FURTHER", "TEXTS", "figures", "quadruples"]


Row = dict[str, str | float | int | None]
_FARTHEST = 12
"""Damage farther from the error than so many words is taken together."""
_SHOWN = 8
"""Types of error in the figure of distributions."""


def figures(found: Sequence[Pool], metric: str) -> list[Figure]:
    """Those for which the corpus has errors enough."""
    return [*_spans(found, metric), _by_length(found), *_damage(found)]


def _spans(found: Sequence[Pool], metric: str) -> Iterator[Figure]:
    rows = [
        _span(part, score, errors=name)
        for pool in found
        for name, part in pool.groups(by_errors(pool), 2)
        for score in ("RB", f"f-{metric}")
    ]
    panels = [str(pool) for pool in found]
    order = list(by_errors(found[0]))
    note = "RB: share of sentences whose translation the errors do not change."
    chart = dots(rows, "errors", order, "panel", "share", panels)
    yield Figure("F1", "Robustness by number of errors", chart, note)
    kinds = [group for pool in found for group in single(pool).groups(by_type(pool))]
    rows = [_span(part, "RB", type=name) for name, part in kinds]
    if rows:
        ordered = sorted(rows, key=lambda row: -float(row["value"] or 0))
        order = list(dict.fromkeys(str(row["type"]) for row in ordered))
        chart = dots(rows, "type", order, "panel", "RB", panels)
        note = "Sentences with a single error."
        yield Figure("T2", "Robustness by type of error", chart, note)


def _span(pool: Pool, score: str, **names: str) -> Row:
    metric = score.removeprefix("f-")
    found = pool.share("same") if score == "RB" else pool.score(metric, "translations")
    row: Row = {"score": score, "panel": str(pool), **names}
    return row | {k: round(getattr(found, k), 4) for k in ("value", "low", "high")}


def _by_length(found: Sequence[Pool]) -> Figure:
    rows: list[Row] = [
        {
            "length": length,
            "errors": errors,
            "sentences": len(part),
            "RB": round(part.share("same").value, 4),
            "panel": str(pool),
        }
        for pool in found
        for length, short in by_length(pool).items()
        for errors, some in by_errors(pool).items()
        if len(part := pool.where(short & some)) > 0.01 * len(pool)
    ]
    orders = (list(by_length(found[0])), list(by_errors(found[0])))
    return Figure(
        "F2",
        "Robustness by length and number of errors",
        bubbles(rows, ("length", "errors"), orders, "sentences", "RB", "panel"),
        "Length in words. Large: many sentences (bins over 1 %); dark: robust.",
    )


def _damage(found: Sequence[Pool]) -> Iterator[Figure]:
    ones = [single(pool) for pool in found if "figure" in pool.rows.columns]
    note = (
        "Words of the clean translation that the other lacks, counted from the word that stands "
        f"for the error: below 0 lies to its left; the outermost bars hold all from {_FARTHEST} "
        "words on. All systems together."
    )
    for number, title, groups in (
        ("F4", "Where the damage lies, by type of error", by_type),
        ("F5", "Where the damage lies, by place of the error in the sentence", by_quarter),
    ):
        chosen = {name: e for pool in ones for name, e in [*groups(pool).items()][:_SHOWN]}
        rows: list[Row] = [
            {"distance": at, "share": round(share, 5), "panel": name}
            for name, expression in chosen.items()
            for lists in [[pool.where(expression).rows["figure"] for pool in ones]]
            for at, share in distances(lists, _FARTHEST, FEWEST)
        ]
        if rows:
            chart = bars(rows, "distance", "share", "panel", list(chosen))
            yield Figure(number, title, chart, note)


TEXTS = {
    "varied": "as written",
    "source": "corrected",
    "varied_output": "translation of the sentence as written",
    "output": "translation of the corrected sentence",
}
"""The four texts, as the explorer names them."""
FURTHER = ("clean_words", "noisy_words", "clean_marks", "noisy_marks", "figure", "formula")
"""The columns of a probe that the figure needs."""
_NOTE = (
    "Marked in the sources: what is wrong, and what stands there instead. Marked in each "
    "translation: the words that the other lacks; where the sentence has one error, with their "
    "distance in words from the word that stands for it."
)


def quadruples(shown: Explorer) -> Explorer:
    """The explorer with errors, corrections and damage marked in all four texts."""
    parts = shown.rows.partition_by("target_language", maintain_order=True)
    rows = pl.concat(map(_marked, parts)) if parts else shown.rows
    labels = {"output": "figure", "varied_output": "formula"}
    return replace(
        shown,
        rows=rows,
        words={
            "source": "clean_words",
            "varied": "noisy_words",
            "output": "output_words",
            "varied_output": "varied_output_words",
        },
        marks={
            "source": "clean_marks",
            "varied": "noisy_marks",
            "output": "output_marks",
            "varied_output": "varied_output_marks",
        },
        labels={text: places for text, places in labels.items() if places in rows.columns},
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
