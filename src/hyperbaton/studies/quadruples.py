"""The quadruple figure: a sentence as written, its correction, and what became of both."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from hyperbaton.alignment.divergence import divergence
from hyperbaton.metrics.tokens import settle, split
from hyperbaton.report.contents import Explorer

__all__ = ["FURTHER", "TEXTS", "quadruples"]

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
