"""Rows of a run with their statistics: corpus scores, shares and noise ratios of any choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted, decimal
from hyperbaton.metrics import METRICS, Metric
from hyperbaton.metrics.metric import Scores
from hyperbaton.metrics.tokens import Tokens, settle, split
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, average, of_sums
from hyperbaton.studies.layer.answers import MOST, Answers, unrelated
from hyperbaton.studies.layer.sources import Source, sources, systems_of_claims
from hyperbaton.studies.layer.summary import leading

__all__ = [
    "SIDES",
    "Pool",
    "claimed",
    "each",
    "gaps",
    "noise_ratio",
    "over",
    "ratio",
    "ratios",
    "read_pools",
]


Key = tuple[str, str]
"""A metric and the name of a comparison."""


@dataclass(frozen=True, eq=False)
class Pool:
    """One row for each varied sentence of one system on one corpus.

    Everything that is measured is resampled over the sentences as written: one that was corrected
    several times has several rows, which are drawn together. Numbers made of the same rows have
    paired resamples.
    """

    source: Source
    rows: pl.DataFrame
    statistics: Mapping[Key, Floats]
    scorers: Mapping[Key, Metric]
    bootstrap: Bootstrap
    failed: int = 0
    """Varied sentences that were not translated, or whose clean source was not."""

    def __len__(self) -> int:
        return self.rows.height

    def __str__(self) -> str:
        return str(self.source)

    @property
    def label(self) -> dict[str, str]:
        """The columns of a table that say what a row is about."""
        run = self.source.run.folder.name
        return {"system": self.source.system, "pair": str(self.source.pair), "run": run}

    @cached_property
    def unrelated(self) -> str:
        """Why nothing can be found out: its answers do not belong to their sentences."""
        # Several corrections of a sentence are alike: one of them is enough.
        rows = self.rows.unique("sentence", keep="first", maintain_order=True)
        some = rows.unique("source", keep="first", maintain_order=True).head(MOST)
        texts = (some[name].to_list() for name in ("source", "output", "varied_output"))
        sources, outputs, again = texts
        return unrelated([Answers(sources, outputs, again, references=False)])

    @property
    def silent(self) -> str:
        """Why nothing is said of it; a control is what it is meant to be."""
        return "" if self.source.control else self.unrelated

    @property
    def names(self) -> tuple[str, str]:
        """The system by itself, and beside the same system in another run."""
        return self.source.short, self.source.system

    @property
    def corpus(self) -> str:
        """Languages and texts."""
        return ": ".join(self.source.corpus)

    @property
    def items(self) -> list[str]:
        """The item of each row."""
        return self.rows["item"].to_list()

    @property
    def control(self) -> bool:
        """Whether the system is no translator to be judged."""
        return self.source.control

    def only(self, items: Collection[str]) -> Pool:
        """The rows of some items."""
        return self.where(pl.col("item").is_in(list(items)))

    def where(self, chosen: pl.Expr) -> Pool:
        """The rows that an expression chooses."""
        kept = self.rows.select(chosen.fill_null(False).alias("kept"))["kept"]
        mask = kept.to_numpy() if len(kept) == len(self) else np.full(len(self), bool(kept[0]))
        chosen_statistics = {key: table[mask] for key, table in self.statistics.items()}
        return replace(self, rows=self.rows.filter(mask), statistics=chosen_statistics)

    def groups(self, chosen: Mapping[str, pl.Expr], fewest: int = 1) -> Iterator[tuple[str, Pool]]:
        """The rows of each group that holds enough of them."""
        for name, expression in chosen.items():
            part = self.where(expression)
            if len(part) >= fewest:
                yield name, part

    @property
    def metrics(self) -> list[str]:
        """The metrics that there are statistics of."""
        return list(dict.fromkeys(metric for metric, _ in self.statistics))

    def of(self, table: Floats, function: Callable[[Floats], Floats]) -> Aggregate:
        """A function of summed rows of a table, in the data and in every resample.

        The table has a row for each row of the pool.
        """
        _, place = np.unique(self.rows["sentence"].to_numpy(), return_inverse=True)
        together = np.zeros((int(place.max(initial=-1)) + 1, table.shape[1]))
        np.add.at(together, place, table)
        return of_sums(together, function, self.bootstrap)

    def mean(self, values: Floats) -> Aggregate:
        """The mean of one number a row; NaN where a row has none."""
        known = np.isfinite(values)
        table = np.column_stack([np.where(known, values, 0), known]).astype(np.float64)
        return self.of(table, lambda sums: sums[:, 0] / sums[:, 1])

    def share(self, column: str) -> Aggregate:
        """The share of rows in which a column is true."""
        return self.mean(self.rows[column].cast(pl.Float64).to_numpy()).as_share()

    def score(self, metric: str, comparison: str) -> Aggregate:
        """The corpus score of the rows."""
        scorer = self.scorers[metric, comparison]
        table = self.statistics[metric, comparison]
        return self.of(table, lambda sums: scorer.from_statistics(sums, "corpus"))

    def sentences(self, metric: str, comparison: str) -> Floats:
        """The score of each row."""
        table = self.statistics[metric, comparison]
        return self.scorers[metric, comparison].from_statistics(table, "sentence")


def claimed(pools: Sequence[Pool]) -> list[Pool]:
    """Those that claims are tested on."""
    systems = systems_of_claims(pool.source.name for pool in pools)
    return [pool for pool in pools if pool.source.name in systems]


def over(pools: Sequence[Pool], of: Callable[[Pool], Aggregate]) -> Aggregate:
    """The mean over systems and corpora, each with the same weight."""
    return average(map(of, pools))


def each(pools: Sequence[Pool], of: Callable[[Pool], Aggregate], form: str = ".0%") -> str:
    """A number of every pool, in words."""
    found = (f"{pool} {decimal(of(pool).value, form)}" for pool in pools)
    return ", ".join(found).replace("%", " %")


def gaps(pools: Sequence[Pool]) -> Iterator[str]:
    """What was not translated, in words."""
    for pool in pools:
        if pool.failed:
            said = counted(pool.failed, "sentence was", "sentences were")
            yield f"{pool}: {said} not translated and left out of all numbers."


def read_pools(
    runs: Sequence[Run],
    columns: Sequence[str],
    comparisons: Mapping[str, str],
    metric: str | None = None,
    more: Mapping[str, pl.Expr] | None = None,
) -> tuple[list[Pool], str]:
    """Every system on every corpus, and the leading metric; the poles are left out.

    `comparisons` maps names to the side of their texts, `more` are further columns of the rows.
    """
    names = [*comparisons]
    shared = [
        m
        for m in runs[0].metrics
        if all(m in (run.record.comparisons[n].metrics or ()) for run in runs for n in names)
    ]
    if metric is not None and metric not in shared:
        has = ", ".join(shared)
        raise HyperbatonError(f"{runs[0].folder} has no scores of {metric}: it has {has}")
    if not shared:
        raise HyperbatonError("the runs have no metric in common: add one with -m")
    found = [
        _pool(source, columns, shared, comparisons, more or {})
        for source in sources(runs)
        if not source.pole
    ]
    if not any(map(len, found)):
        raise HyperbatonError("nothing was translated: there is nothing to report")
    return [pool for pool in found if len(pool)], metric or leading(shared)


def _pool(
    source: Source,
    columns: Sequence[str],
    metrics: Sequence[str],
    comparisons: Mapping[str, str],
    more: Mapping[str, pl.Expr],
) -> Pool:
    """The varied rows that were translated."""
    run, pair = source.run, source.pair
    needed = ["source", "output", "varied_output"]
    read = list(dict.fromkeys(("item", "variant", "varied", *needed, *columns)))
    rows = run.table(pair, source.name, columns=read)
    whole = run.whole(pair, source.name)
    if whole is not None:
        rows = rows.hstack(whole)
    varied = rows.filter(pl.col("variant") != IDENTITY)
    rows = varied.drop_nulls(needed)
    first = pl.col("sentence").first().over("varied")
    rows = rows.with_row_index("sentence").with_columns(first, **more).drop("varied")
    keys = [(metric, name) for metric in metrics for name in comparisons] if rows.height else []
    items = rows["item"].to_list()
    languages = {name: _language(pair, side) for name, side in comparisons.items()}
    scorers = {(m, name): METRICS.parse(m).for_language(languages[name]) for m, name in keys}
    statistics = {key: _statistics(run, pair, source.name, key, items) for key in keys}
    return Pool(source, rows, statistics, scorers, Bootstrap(), varied.height - rows.height)


def _language(pair: Pair, side: str) -> str:
    return pair.source if side == "source" else pair.target


def _statistics(run: Run, pair: Pair, system: str, key: Key, items: Sequence[str]) -> Floats:
    """The statistics of the varied rows, in the order of the items."""
    names, sums = run.statistics(pair, system, *key, pl.col("variant") != IDENTITY)
    place = {name: i for i, name in enumerate(names)}
    return np.asarray(sums[[place[item] for item in items]])


_NO_NOISE = 1e-12


def noise_ratio(translations: Scores, sources: Scores) -> Scores:
    """1 − κ(y, ỹ) over 1 − κ(x, x̃), from the two similarities κ.

    x̃ is a corrected source and x the noisy one, ỹ and y are their translations. Above 1 the
    translator magnifies the noise; where x = x̃ there is none to magnify, and the ratio is NaN.

    >>> noise_ratio(np.array([0.5, 1.0, 0.9]), np.array([0.75, 0.75, 1.0]))
    array([ 2.,  0., nan])
    """
    noise = 1 - sources
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(noise > _NO_NOISE, (1 - translations) / noise, np.nan)


SIDES = {"translations": "target", "sources": "source"}
"""The comparisons that a noise ratio is made of, with the side of their texts."""


def ratio(pool: Pool, metric: str, discount: bool = False) -> Aggregate:
    """NR of all rows together.

    The discount of the paper's footnote multiplies it by the words of the sources over those of
    the translations: a longer text has more to lose. Words are those that the metric counts.
    """
    keys = [(metric, name) for name in SIDES]
    tables = [pool.statistics[key] for key in keys]
    first, second = np.cumsum([table.shape[1] for table in tables])

    def of(sums: Floats) -> Floats:
        parts = (sums[:, :first], sums[:, first:second])
        similar = [
            pool.scorers[key].from_statistics(part, "corpus")
            for key, part in zip(keys, parts, strict=True)
        ]
        found = noise_ratio(similar[0], similar[1])
        return found * sums[:, second] / sums[:, second + 1] if discount else found

    lengths = [_lengths(pool, metric, name) for name in reversed(SIDES)] if discount else []
    return pool.of(np.column_stack([*tables, *lengths]), of)


def _lengths(pool: Pool, metric: str, comparison: str) -> Floats:
    """Words of the clean text of each row, cut by the metric, or as BLEU does if it cuts none."""
    pair, source = pool.source.pair, SIDES[comparison] == "source"
    tokens: Tokens = getattr(pool.scorers[metric, comparison], "tokens", "auto")
    texts = pool.rows["source" if source else "output"].to_list()
    cut = split(texts, settle(tokens, pair.source if source else pair.target))
    return np.array([len(words) for words in cut], dtype=np.float64)


def ratios(pool: Pool, metric: str) -> Floats:
    """NR of each row, NaN where it is not defined."""
    similar = [pool.sentences(metric, name) for name in SIDES]
    return noise_ratio(similar[0], similar[1])
