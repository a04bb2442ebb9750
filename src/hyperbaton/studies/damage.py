"""The divergence of every sentence with a single error, from the links of a whole corpus."""

from __future__ import annotations

import polars as pl

from hyperbaton.alignment import ALIGNERS
from hyperbaton.alignment.divergence import divergence, pivot
from hyperbaton.metrics.tokens import settle, split
from hyperbaton.pipeline import IDENTITY, Pair, Run

__all__ = ["damage"]

_READ = ("variant", "errors", "place", "clean_words", "output", "varied_output")
_SCHEMA = {
    "pivot": pl.Int32(),
    "figure": pl.List(pl.Int32()),
    "formula": pl.List(pl.Int32()),
}


def damage(run: Run, pair: Pair, system: str, align: str) -> pl.DataFrame:
    """A row per probe: where the error is in the translation, and how far off each change is.

    All null for sentences with several errors, or none, or where the error is linked to nothing.
    """
    rows = run.table(pair, system, columns=_READ).to_dicts()
    chosen = [row for row in rows if row["variant"] != IDENTITY and row["output"] is not None]
    tokens = settle("auto", pair.target)
    clean = split([row["output"] for row in chosen], tokens)
    pairs = [(row["clean_words"], words) for row, words in zip(chosen, clean, strict=True)]
    links = ALIGNERS.parse(align).align(pairs, pair.source, pair.target)
    noisy = split([row["varied_output"] or "" for row in chosen], tokens)
    found = {}
    for row, words, others, mine in zip(chosen, clean, noisy, links, strict=True):
        at = None if row["errors"] != 1 else pivot(row["place"], mine)
        if at is not None and row["varied_output"] is not None:
            both = [divergence(words, others, at, how) for how in ("figure", "formula")]
            found[id(row)] = (at, *both)
    nothing = (None, None, None)
    return pl.DataFrame([found.get(id(row), nothing) for row in rows], _SCHEMA, orient="row")
