"""A pool by chance: each sentence keeps its clean translation and gets another's varied one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from hyperbaton.alignment.divergence import divergence
from hyperbaton.metrics.tokens import settle, split
from hyperbaton.studies.pools import Pool
from hyperbaton.studies.relation import neighbours

__all__ = ["exchanged_pool", "output_words"]

MOST = 5000
"""Sentences that are scored anew; of more, an even choice."""


def exchanged_pool(pool: Pool, metric: str, comparison: str) -> Pool:
    """The same sentences, so that claims can be asked of answers that have nothing to do with them.

    What was varied in a sentence stays, and so does the word of the translation that stands for it.
    """
    step = max(1, -(-len(pool) // MOST))
    pool = pool.where(pl.col("sentence") % step == 0)
    rows = pool.rows
    first = rows.unique("sentence", keep="first", maintain_order=True)
    texts = first["varied_output"]
    others = dict(zip(first["sentence"], texts.gather(neighbours(texts.to_list())), strict=True))
    given = rows["sentence"].replace_strict(others, return_dtype=pl.String)
    moved = rows.with_columns(given.alias("varied_output"))
    key = (metric, comparison)
    scored = pool.scorers[key].statistics(
        moved["varied_output"].to_list(), rows["output"].to_list()
    )
    changed: dict[str, pl.Series | pl.Expr] = {"same": pl.col("output") == pl.col("varied_output")}
    if "figure" in rows.columns:
        changed["figure"] = _figure(pool, moved)
    return replace(
        pool,
        rows=moved.with_columns(**changed),
        statistics={**pool.statistics, key: np.asarray(scored, dtype=np.float64)},
    )


def output_words(pool: Pool, column: str = "output") -> list[list[str]]:
    """The words of each translation as damage is counted in them."""
    texts = pool.rows[column].to_list()
    return split(texts, settle("auto", pool.source.pair.target))


def _figure(pool: Pool, moved: pl.DataFrame) -> pl.Series:
    both = (output_words(replace(pool, rows=moved), name) for name in ("output", "varied_output"))
    found = [
        None if at is None else divergence(words, others, at)
        for words, others, at in zip(*both, pool.rows["pivot"].to_list(), strict=True)
    ]
    return pl.Series("figure", found, dtype=pool.rows["figure"].dtype)
