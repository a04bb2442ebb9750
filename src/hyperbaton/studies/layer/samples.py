"""Samples: the scores of one system on one corpus, and every number that is made of them.

A row is an item (or a variant of it), a column a group of rows such as a perturbation. All numbers
are resampled over `clusters`, rows that hang together, and numbers over equally many clusters share
their draws, so that `one - other` of two aggregates is a paired difference.

    # word order, surface, repairs: items × variants, read part by part from a run
    samples = read_samples(source, "chrF", {"beta1": pl.col("beta1")}, by=["variant"])
    samples.mean("beta1", ("reversed",)), samples.column("beta1"), samples.cell_means(bootstrap)
    # grammar: a row per correction; those of one sentence are a cluster; corpus scores of rows
    samples = Samples(items, frame=rows, clusters=rows["sentence"], statistics=…, scorers=…)
    samples.where(pl.col("errors") == 1).share("same"), samples.corpus_score("BLEU", "sources")
    # isometry: a row per pair of sentences
    Samples(items, frame=rows).share(rows["M"] == "[1,1]"), samples.correlation(before, after)
    # structure: examples × perturbations, sums of scores with their weights
    Samples(items, groups, {"accuracy": sums}, weights=weights).cell_means(bootstrap)

Systems are ranked on the samples that they share by `layer.ranking`; the means of many samples, by
system, pair and group, are kept by `layer.means`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.metrics import Metric
from hyperbaton.pipeline import IDENTITY
from hyperbaton.stats import Bootstrap
from hyperbaton.stats.correlation import moments, r_of_moments
from hyperbaton.stats.resample import resampled_sums
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, of_sums
from hyperbaton.studies.layer.sources import Source

Measures = Mapping[str, pl.Expr]
"""Scores by name, as expressions over the columns of a run: those compared, and the probe's."""
Group = tuple[str, ...]
"""The values of the columns that rows are grouped by, such as (`reversed`,)."""
Key = tuple[str, str]
"""A metric and the name of a comparison."""
Score = str | pl.Series | NDArray[np.float64] | NDArray[np.bool_]
"""A score by name, or its values, one for each row."""
IDENTITY_GROUP: Group = (IDENTITY,)
_BYTES_AT_ONCE = 1 << 24


@dataclass(frozen=True, eq=False)
class Samples:
    """Rows × groups of each score, NaN where a row has none in a group."""

    items: Sequence[str]
    """The item of each row."""
    groups: tuple[Group, ...] = ((),)
    scores: Mapping[str, Floats] = field(default_factory=dict)
    shares: frozenset[str] = frozenset()
    """The scores that are true or false of a row: their means are shares."""
    weights: Floats | None = None
    """What the sums of scores are divided by, rows × groups; where it is None, every score by 1."""
    clusters: Sequence[object] | pl.Series | None = None
    """Which rows are drawn together; each by itself where it is None."""
    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    """What else is known of each row; `where` chooses by it, and its columns are scores too."""
    statistics: Mapping[Key, Floats] = field(default_factory=dict)
    """The sufficient statistics of each row, by metric and comparison."""
    scorers: Mapping[Key, Metric] = field(default_factory=dict)
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    names: tuple[str, str] = ("", "")
    """The system by itself, and beside the same system in another run."""
    corpus: str = ""
    control: bool = False
    """Whether the system is no translator to be judged."""

    def __len__(self) -> int:
        return len(self.items)

    def where(self, chosen: pl.Expr | NDArray[np.bool_]) -> Self:
        """The rows that an expression over the frame, or a mask, chooses."""
        if isinstance(chosen, pl.Expr):
            kept = self.frame.select(chosen.fill_null(False).alias("kept"))["kept"].to_numpy()
            chosen = kept if len(kept) == len(self) else np.full(len(self), bool(kept[0]))
        clusters = self._clusters
        return replace(
            self,
            items=[self.items[place] for place in np.flatnonzero(chosen).tolist()],
            scores={name: table[chosen] for name, table in self.scores.items()},
            weights=None if self.weights is None else self.weights[chosen],
            clusters=None if clusters is None else clusters[chosen].tolist(),
            frame=self.frame.filter(chosen) if self.frame.width else self.frame,
            statistics={key: table[chosen] for key, table in self.statistics.items()},
        )

    def only(self, items: Collection[str]) -> Self:
        """The rows of some items."""
        wanted = set(items)
        return self.where(np.array([item in wanted for item in self.items], dtype=bool))

    def by(self, chosen: Mapping[str, pl.Expr], fewest: int = 1) -> Iterator[tuple[str, Self]]:
        """The rows that each of some expressions chooses, where they are enough."""
        for name, expression in chosen.items():
            part = self.where(expression)
            if len(part) >= fewest:
                yield name, part

    def column(self, score: str, group: Group = IDENTITY_GROUP) -> Floats:
        """One score of every row in one group."""
        if group not in self.groups:
            return np.full(len(self.items), np.nan)
        return self.scores[score][:, self.groups.index(group)]

    def varied(self, score: str) -> Floats:
        """A score in all groups but the identity."""
        keep = [i for i, group in enumerate(self.groups) if IDENTITY not in group]
        return self.scores[score][:, keep]

    def of(self, table: Floats, function: Callable[[Floats], Floats]) -> Aggregate:
        """A function of the summed rows of a table, which has a row for each row of the samples."""
        if self._clusters is None:
            return of_sums(table, function, self.bootstrap)
        together = np.zeros((int(self._places.max(initial=-1)) + 1, table.shape[1]))
        np.add.at(together, self._places, table)
        return of_sums(together, function, self.bootstrap)

    def mean(self, score: Score, group: Group = ()) -> Aggregate:
        """The mean of a score over the rows that have it."""
        values = self._values(score, group)
        known = np.isfinite(values)
        weights = known if self.weights is None else self.weights[:, self.groups.index(group)]
        table = np.column_stack([np.where(known, values, 0), weights]).astype(np.float64)
        return self.of(table, _ratio)

    def share(self, score: Score, group: Group = ()) -> Aggregate:
        """The share of rows of which something is true."""
        return self.mean(score, group).as_share()

    def ratio(self, over: Score, under: Score, group: Group = ()) -> Aggregate:
        """The sum of one score over that of another."""
        both = [self._values(score, group) for score in (over, under)]
        return self.of(np.column_stack(both), _ratio)

    def difference(self, one: Score, other: Score, group: Group = ()) -> Aggregate:
        """The mean of one score minus that of another, paired."""
        return self.mean(one, group) - self.mean(other, group)

    def correlation(self, one: Floats, other: Floats) -> Aggregate:
        """Pearson's r over all observations, rows × columns, of which whole rows are drawn."""
        return self.of(moments(one, other), r_of_moments)

    def corpus_score(self, metric: str, comparison: str) -> Aggregate:
        """The corpus score of the rows."""
        scorer = self.scorers[metric, comparison]
        table = self.statistics[metric, comparison]
        return self.of(table, lambda sums: scorer.from_statistics(sums, "corpus"))

    def row_scores(self, metric: str, comparison: str) -> Floats:
        """The score of each row."""
        table = self.statistics[metric, comparison]
        return self.scorers[metric, comparison].from_statistics(table, "sentence")

    def cell_means(self, bootstrap: Bootstrap | None = None) -> tuple[Floats, NDArray[np.float32]]:
        """The mean of each score in each group, and that in every resample.

        Scores × groups, and resamples × scores × groups. Drawing takes longer than adding, so all
        scores go together, some groups at a time; what is known is counted once for all scores
        that have the same gaps.
        """
        how, tables = bootstrap or self.bootstrap, list(self.scores.values())
        rows, width = tables[0].shape
        at_once = max(1, _BYTES_AT_ONCE // (16 * len(tables) * max(1, rows)))
        values = np.empty((len(tables), width))
        drawn = np.empty((how.resamples, len(tables), width), dtype=np.float32)
        for start in range(0, width, at_once):
            some = slice(start, start + at_once)
            sums = np.hstack([table[:, some] for table in tables])
            known = ~np.isnan(sums)
            if self.weights is None:
                firsts, owner = _alike(known)
                counts = known[:, firsts]
            else:
                counts, owner = self.weights[:, some], np.tile(np.arange(width)[some], len(tables))
                owner -= start
            both = np.hstack([np.where(known, sums, 0), counts])
            resampled = resampled_sums(both, how.resamples, how.seed)
            values[:, some] = _quotients(both.sum(axis=0, keepdims=True), owner, len(tables))[0]
            drawn[:, :, some] = _quotients(resampled, owner, len(tables))
        return values, drawn

    @cached_property
    def _clusters(self) -> NDArray[np.generic] | None:
        return None if self.clusters is None else np.asarray(self.clusters)

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """The place of the cluster of each row."""
        return np.unique(np.asarray(self.clusters), return_inverse=True)[1]

    def _values(self, score: Score, group: Group) -> Floats:
        if isinstance(score, str) and score in self.scores:
            return self.column(score, group)
        if isinstance(score, np.ndarray):
            return np.asarray(score, dtype=np.float64)
        column = self.frame[score] if isinstance(score, str) else score
        return column.cast(pl.Float64).to_numpy()  # null is NaN


def read_samples(
    source: Source,
    metric: str,
    measures: Measures,
    by: Sequence[str] = ("variant",),
    groups: Sequence[Group] | None = None,
) -> Samples:
    """Read the scores of one system on one pair; several draws of an item are averaged."""
    run, pair = source.run, source.pair
    if groups is None:
        groups = list(dict.fromkeys(_groups(source, by)))
    read = {"item", *by, *(root for e in measures.values() for root in e.meta.root_names())}
    parts = run.parts(pair, source.name, metric, sorted(read))
    return samples_of(parts, run.record.progress[str(pair)].items, measures, by, groups)


def samples_of(
    parts: Iterable[pl.DataFrame],
    size: int,
    measures: Measures,
    by: Sequence[str] = ("variant",),
    groups: Sequence[Group] = (),
    first: Iterable[str] = (),
) -> Samples:
    """The scores of rows that come part by part and hold at most so many items.

    The items named `first` come first, whether there are rows of them or not.
    """
    places = pl.DataFrame(groups, schema=dict.fromkeys(by, pl.String), orient="row").with_columns(
        pl.Series("column", range(len(groups)), dtype=pl.Int64)
    )
    items = {item: number for number, item in enumerate(first)}
    # Filled part by part, so that no more than the numbers themselves is held.
    scores = {name: np.full((size, len(groups)), np.nan) for name in measures}
    shares: set[str] = set()
    for part in parts:
        measured = part.select("item", pl.col(*by).cast(pl.String), **measures)
        shares |= {name for name in measures if measured.schema[name] == pl.Boolean}
        rows = (
            measured.group_by("item", *by, maintain_order=True)
            .agg(pl.col(*measures).cast(pl.Float64).mean())
            .join(places, on=list(by), how="inner", maintain_order="left")
        )
        numbers = [items.setdefault(item, len(items)) for item in rows["item"]]
        at = np.array(numbers, dtype=np.intp), rows["column"].to_numpy()
        for name, values in scores.items():
            values[at] = rows[name].fill_null(np.nan).to_numpy()
    known = {name: values[: len(items)] for name, values in scores.items()}
    return Samples(tuple(items), tuple(groups), known, frozenset(shares))


def _groups(source: Source, by: Sequence[str]) -> Iterator[Group]:
    """The groups that there are, in the order in which they come."""
    for part in source.run.parts(source.pair, columns=list(by)):
        yield from part.select(pl.col(*by).cast(pl.String)).unique(maintain_order=True).rows()


def _ratio(sums: Floats) -> Floats:
    return np.asarray(sums[:, 0] / sums[:, 1])


def _alike(known: NDArray[np.bool_]) -> tuple[list[int], NDArray[np.intp]]:
    """The columns that differ from all before them, and for each column the place of its like."""
    places: dict[bytes, int] = {}
    firsts: list[int] = []
    owner = np.empty(known.shape[1], dtype=np.intp)
    for number, column in enumerate(np.packbits(known, axis=0).T):
        owner[number] = places.setdefault(column.tobytes(), len(places))
        if owner[number] == len(firsts):
            firsts.append(number)
    return firsts, owner


def _quotients(sums: Floats, owner: NDArray[np.intp], tables: int) -> Floats:
    """Sums over counts: resample × table × column; `owner` is the place of a sum's count."""
    total, count = sums[:, : len(owner)], sums[:, len(owner) :]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((total / count[:, owner]).reshape(len(sums), tables, -1))
