"""The scores of one system on one pair, item by item: what means and correlations are taken of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from hyperbaton.pipeline import IDENTITY
from hyperbaton.studies.aggregates import Floats
from hyperbaton.studies.sources import Source

__all__ = ["Cube", "Group", "Measures", "cube_of", "read_cube"]

Measures = Mapping[str, pl.Expr]
"""Scores by name, as expressions over the columns of a run: those compared, and the probe's."""
Group = tuple[str, ...]
"""The values of the columns that rows are grouped by, such as (`reversed`,)."""
IDENTITY_GROUP: Group = (IDENTITY,)


@dataclass(frozen=True)
class Cube:
    """Items × groups, NaN where an item has no row in a group."""

    items: tuple[str, ...]
    groups: tuple[Group, ...]
    scores: dict[str, Floats]
    shares: frozenset[str] = frozenset()
    """The scores that are true or false of a row: their means are shares."""

    def column(self, score: str, group: Group = IDENTITY_GROUP) -> Floats:
        """One score of every item in one group."""
        if group not in self.groups:
            return np.full(len(self.items), np.nan)
        return self.scores[score][:, self.groups.index(group)]

    def varied(self, score: str) -> Floats:
        """A score in all groups but the identity."""
        keep = [i for i, group in enumerate(self.groups) if IDENTITY not in group]
        return self.scores[score][:, keep]


def read_cube(
    source: Source,
    metric: str,
    measures: Measures,
    by: Sequence[str] = ("variant",),
    groups: Sequence[Group] | None = None,
) -> Cube:
    """Read the scores of one system on one pair; several draws of an item are averaged."""
    run, pair = source.run, source.pair
    names = tuple(dict.fromkeys(groups if groups is not None else _groups(source, by)))
    read = {"item", *by, *(root for e in measures.values() for root in e.meta.root_names())}
    parts = run.parts(pair, source.name, metric, sorted(read))
    return cube_of(parts, run.record.progress[str(pair)].items, measures, by, names)


def cube_of(
    parts: Iterable[pl.DataFrame],
    size: int,
    measures: Measures,
    by: Sequence[str] = ("variant",),
    groups: Sequence[Group] = (),
) -> Cube:
    """The scores of rows that come part by part and hold at most so many items."""
    places = pl.DataFrame(groups, schema=dict.fromkeys(by, pl.String), orient="row").with_columns(
        pl.Series("column", range(len(groups)), dtype=pl.Int64)
    )
    items: dict[str, int] = {}
    # Filled part by part, so that no more than the numbers themselves is held.
    scores = {name: np.full((size, len(groups)), np.nan) for name in measures}
    shares: set[str] = set()
    for part in parts:
        kinds = part.select(**measures).schema
        shares |= {name for name, kind in kinds.items() if kind == pl.Boolean}
        rows = (
            _averaged(part, measures, by)
            .join(places, on=list(by), how="left", maintain_order="left")
            .drop_nulls("column")
        )
        at = (
            np.array([items.setdefault(item, len(items)) for item in rows["item"]], dtype=np.intp),
            rows["column"].to_numpy(),
        )
        for name, values in scores.items():
            values[at] = rows[name].fill_null(np.nan).to_numpy()
    known = {name: values[: len(items)] for name, values in scores.items()}
    return Cube(tuple(items), tuple(groups), known, frozenset(shares))


def _groups(source: Source, by: Sequence[str]) -> Iterator[Group]:
    """The groups that there are, in the order in which they come."""
    for part in source.run.parts(source.pair, columns=list(by)):
        yield from part.select(pl.col(*by).cast(pl.String)).unique(maintain_order=True).rows()


def _averaged(part: pl.DataFrame, measures: Measures, by: Sequence[str]) -> pl.DataFrame:
    """All scores of each item and group, as means over the draws."""
    return (
        part.select("item", pl.col(*by).cast(pl.String), **measures)
        .group_by("item", *by, maintain_order=True)
        .agg(pl.col(*measures).cast(pl.Float64).mean())
    )
