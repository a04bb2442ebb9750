"""The single sentences of the word-order study, or a fair choice of them where there are many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.report.contents import Explorer
from hyperbaton.studies.wordorder_summary import Summary

__all__ = ["MOST_ROWS", "even_quota", "explorer"]

MOST_ROWS = 100_000
"""About so many rows are in the page at most."""
_GOLDEN = (5**0.5 - 1) / 2
_SCORES = {"beta": "β", "beta1": "β1", "beta2": "β2", "difference": "β2 − β1", "alpha": "α"}
_TEXTS = {
    "source": "source",
    "varied": "perturbed source",
    "reference": "reference",
    "varied_reference": "perturbed reference",
    "output": "translation",
    "varied_output": "translation of the perturbed source",
}


class _Cell(NamedTuple):
    system: str
    pair: Pair
    variant: str


def explorer(summary: Summary, most: int = MOST_ROWS) -> Explorer:
    """The rows of all systems and pairs, equally many of each perturbation as far as they go."""
    counts = dict(_counts(summary))
    quota = even_quota(counts.values(), most)
    shares = {cell: min(1.0, quota / count) for cell, count in counts.items()}
    frames = [
        _sentences(
            run, system, pair, summary.leading, _of_variants(shares, label, pair)
        ).with_columns(pl.lit(label).alias("system"))
        for label, (run, system) in summary.sources.items()
        for pair in run.pairs_of(system)
    ]
    rows = pl.concat(frames)
    return Explorer(
        rows=rows,
        texts=_TEXTS,
        scores=_SCORES,
        filters={
            "pair": "languages",
            "variant": "perturbation",
            "system": "system",
            "flip": "β1 > β",
        },
        words={
            "source": "words",
            "varied": "words",
            "reference": "reference_words",
            "varied_reference": "reference_words",
        },
        orders={"varied": "order", "varied_reference": "reference_order"},
        languages={
            name: "source_language" if name in ("source", "varied") else "target_language"
            for name in _TEXTS
        },
        note=_note(rows.height, sum(counts.values())),
    )


def even_quota(counts: Iterable[int], most: int) -> float:
    """How many each cell may show so that all together show as many as they may.

    >>> even_quota([10, 20, 300], 130), even_quota([10, 20], 100)
    (100.0, 20)
    """
    left, quota = float(most), 0
    ascending = sorted(counts)
    for place, count in enumerate(ascending):
        cells = len(ascending) - place
        if count * cells > left:
            return left / cells
        left -= count
        quota = count
    return quota


def _counts(summary: Summary) -> Iterator[tuple[_Cell, int]]:
    """How many rows there are of each system, pair and perturbation; draws count one by one."""
    for label, (run, system) in summary.sources.items():
        for pair in run.pairs_of(system):
            parts = run.parts(pair, columns=["variant"])
            found = pl.concat(part["variant"].value_counts() for part in parts)
            for variant, count in found.group_by("variant").sum().iter_rows():
                if variant != IDENTITY:
                    yield _Cell(label, pair, variant), count


def _of_variants(shares: dict[_Cell, float], system: str, pair: Pair) -> pl.DataFrame:
    mine = {c.variant: share for c, share in shares.items() if (c.system, c.pair) == (system, pair)}
    rows = {"variant": list(mine), "share": list(mine.values())}
    return pl.DataFrame(rows, schema={"variant": pl.String, "share": pl.Float64})


def _sentences(
    run: Run, system: str, pair: Pair, metric: str, shares: pl.DataFrame
) -> pl.DataFrame:
    frames = []
    before = 0
    for part in run.parts(pair, system, metric):
        items = part["item"].unique(maintain_order=True)
        # Multiples of the golden ratio spread any share of items evenly over the corpus, and what
        # is in a small share is in every larger one: a sentence comes with its perturbations.
        turns = (np.arange(before, before + len(items)) * _GOLDEN) % 1
        before += len(items)
        frames.append(
            part.join(shares, on="variant", maintain_order="left")
            .join(pl.DataFrame({"item": items, "turn": turns}), on="item", maintain_order="left")
            .filter(pl.col("turn") < pl.col("share"))
            .with_columns(
                pl.col(*[name for name in _SCORES if name != "difference"]).round(4),
                (pl.col("beta2") - pl.col("beta1")).round(4).alias("difference"),
                _flip().alias("flip"),
                pl.lit(str(pair)).alias("pair"),
                pl.lit(pair.source).alias("source_language"),
                pl.lit(pair.target).alias("target_language"),
            )
            .drop("share", "turn")
        )
    return pl.concat(frames)


def _flip() -> pl.Expr:
    """In words that can stand in a list without their label; null where an output is missing."""
    better = pl.col("beta1") > pl.col("beta")
    return pl.when(better).then(pl.lit("flip")).when(~better).then(pl.lit("no flip"))


def _note(shown: int, there: int) -> str:
    if shown == there:
        return ""
    return (
        f"Here are {shown:,} of the {there:,} samples: equally many of each system, language pair "
        "and perturbation (all, where there are fewer), spread evenly over the corpus. Findings, "
        "figures and tables are made of all samples."
    )
