"""What metrics notice: how often, how strongly, in which order of severity, and what fools them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import Pair, Run
from hyperbaton.stats.intervals import Method
from hyperbaton.studies.layer.aggregate import FEWEST, NOTHING, Aggregate, Floats, mean_of_known
from hyperbaton.studies.layer.experiment import ALL
from hyperbaton.studies.layer.samples import Samples, samples_of
from hyperbaton.studies.metrics.kinds import ANOTHER, DAMAGES, FAMILIES, HALF, NONE

TIE = 1e-7
"""Scores that differ by no more are equal: a model computes with seven digits."""
COLUMNS = ("item", "variant", "family", "severity", "whole", "damaged")
_MEASURES = ("noticed", "tied", "drop", "full")


@dataclass(frozen=True)
class Noticed:
    """What a metric makes of a damage."""

    noticed: Aggregate
    """The share of damaged texts that it scores lower than the translation."""
    tied: Aggregate
    """The share of those that it scores alike."""
    strength: Aggregate
    """How much lower on average, over what the translation of another sentence loses."""


UNKNOWN = Noticed(NOTHING, NOTHING, NOTHING)


@dataclass(frozen=True, eq=False)
class Reading:
    """One metric on some items: of all pairs, or of one."""

    metric: str
    samples: Samples
    """Items × variants of each of the measures, NaN where a damage does not apply."""
    fooled: Samples
    """Items × texts that say nothing: whether each is rated no lower than half of a translation."""
    ranked: Samples
    """Items × scales of severity: the share of pairs of damage in the right order."""

    def within(self, pair: str) -> Reading:
        """The items of a language pair."""
        chosen = pl.col("pair") == pair
        of = (self.samples.where(chosen), self.fooled.where(chosen), self.ranked.where(chosen))
        return Reading(self.metric, *of)

    @cached_property
    def _means(self) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """Each measure of each damage, the same in every resample, and how many items have it."""
        known = np.isfinite(self.samples.scores["noticed"])
        values, drawn = self.samples.cell_means()
        return values, drawn.astype(np.float64), known.sum(axis=0)

    @cached_property
    def cells(self) -> Mapping[str, Noticed]:
        """Every kind of damage."""
        names = [name for (name,) in self.samples.groups]
        found = {name: self.mean([name]) for name in names}
        return {name: cell for name, cell in found.items() if cell.noticed.n}

    @cached_property
    def fakes(self) -> Mapping[str, Aggregate]:
        """How often each text that says nothing is rated no lower than half of a translation."""
        return {name: self.fooled.share("fooled", (name,)) for (name,) in self.fooled.groups}

    @cached_property
    def severities(self) -> Mapping[str, Aggregate]:
        """How often of two damages of a translation the more severe one costs more; a tie: half."""
        return {name: self.ranked.share("right", (name,)) for (name,) in self.ranked.groups}

    @property
    def another(self) -> Noticed:
        """What it makes of the translation of another sentence."""
        return self.cells.get(ANOTHER, UNKNOWN)

    def mean(self, variants: Iterable[str]) -> Noticed:
        """The mean over kinds of damage; each has the same weight, unless few texts have it."""
        wanted = frozenset(variants)
        if wanted not in self._known:
            self._known[wanted] = self._mean(wanted)
        return self._known[wanted]

    @cached_property
    def _known(self) -> dict[frozenset[str], Noticed]:
        return {}

    def _mean(self, wanted: frozenset[str]) -> Noticed:
        if not len(self.samples):
            return UNKNOWN
        places = [at for at, (name,) in enumerate(self.samples.groups) if name in wanted]
        values, drawn, counts = self._means
        some = [at for at in places if counts[at]]
        if not some:
            return UNKNOWN
        weights = np.minimum(counts[some] / FEWEST, 1)
        n = int(np.isfinite(self.samples.scores["noticed"][:, some]).any(axis=1).sum())

        def over(value: Floats, resampled: Floats, method: Method) -> Aggregate:
            mean = mean_of_known(value[None, some], weights)[0]
            return Aggregate.of(float(mean), mean_of_known(resampled[:, some], weights), n, method)

        noticed, tied = (over(values[row], drawn[:, row], "wilson") for row in (0, 1))
        if not self._has_losses:
            return Noticed(noticed, tied, NOTHING)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = values[2] / values[3], drawn[:, 2] / drawn[:, 3]
        return Noticed(noticed, tied, over(*ratios, "bca-t"))

    @cached_property
    def _has_losses(self) -> bool:
        """Whether it certainly loses something by the translation of another sentence."""
        loss = self.samples.mean("drop", (ANOTHER,))
        return bool(loss.value > 0 and not loss.low <= 0)


@dataclass(frozen=True, eq=False)
class Atlas:
    """What all metrics of some runs notice."""

    runs: tuple[Run, ...]
    families: Mapping[str, str]
    """The family of each kind of damage, in the order shown."""
    pairs: tuple[str, ...]
    readings: Mapping[str, Reading]

    @cached_property
    def by_pair(self) -> Mapping[str, Mapping[str, Reading]]:
        """The readings of each language pair."""
        if len(self.pairs) == 1:
            return {self.pairs[0]: self.readings}
        return {
            pair: {metric: one.within(pair) for metric, one in self.readings.items()}
            for pair in self.pairs
        }

    def kinds(self, families: Iterable[str] = DAMAGES) -> list[str]:
        """The kinds of damage of some families."""
        wanted = set(families)
        return [name for name, family in self.families.items() if family in wanted]

    def groups(self) -> Mapping[str, list[str]]:
        """The kinds of each family of damage; all of them first, where there are several."""
        found = {family: self.kinds([family]) for family in (*DAMAGES, NONE)}
        found = {family: kinds for family, kinds in found.items() if kinds}
        several = sum(family in DAMAGES for family in found) > 1
        return {ALL: self.kinds(), **found} if several else found

    def items(self) -> int:
        """How many items there are."""
        return max((len(one.samples) for one in self.readings.values()), default=0)


def read_atlas(runs: Sequence[Run], metric: str | None = None) -> Atlas:
    """What the metrics of some runs, or one of them, notice; what was read last is at hand."""
    return _read(tuple(runs), metric)


@lru_cache(maxsize=2)
def _read(runs: tuple[Run, ...], only: str | None) -> Atlas:
    metrics = list(dict.fromkeys(name for run in runs for name in run.metrics))
    if only is not None and only not in metrics:
        raise HyperbatonError(f"no run has {only}: they have {', '.join(metrics)}")
    tables = {m: pl.concat(_tables(runs, m)) for m in metrics if only in (None, m)}
    named: dict[str, str] = {}
    for table in tables.values():
        named |= dict(table.select("variant", "family").unique(maintain_order=True).iter_rows())
    order = sorted(named, key=lambda name: FAMILIES.index(named[name]))
    families = {name: named[name] for name in order}
    readings = {metric: _reading(metric, table, families) for metric, table in tables.items()}
    pairs = dict.fromkeys(str(pair) for run in runs for pair in run.pairs)
    return Atlas(runs, families, tuple(pairs), readings)


def _tables(runs: Iterable[Run], metric: str) -> Iterator[pl.DataFrame]:
    for run in runs:
        for pair in run.pairs if metric in run.metrics else ():
            table = run.table(pair, None, metric, COLUMNS).select(COLUMNS)
            yield judged(table, metric).with_columns(
                pl.concat_str(pl.lit(f"{pair} "), "item").alias("item"),
                pl.lit(str(pair)).alias("pair"),
            )


def judged(table: pl.DataFrame, metric: str) -> pl.DataFrame:
    """The rows of a metric with what it noticed, and what the whole loss of an item costs it."""
    sign = 1 if METRICS.parse(metric).higher_is_better else -1
    drop = (sign * (pl.col("whole") - pl.col("damaged"))).alias("drop")

    def of(variant: str) -> pl.Expr:
        return pl.col("drop").filter(pl.col("variant") == variant).first().over("item")

    return table.with_columns(drop).with_columns(
        (pl.col("drop") > TIE).alias("noticed"),
        (pl.col("drop").abs() <= TIE).alias("tied"),
        pl.when(pl.col("drop").is_not_null()).then(of(ANOTHER)).alias("full"),
        (pl.col("drop") <= of(HALF) + TIE).alias("fooled"),
    )


def _reading(metric: str, table: pl.DataFrame, families: Mapping[str, str]) -> Reading:
    fakes = table.filter(pl.col("family") == NONE)
    ordered = _ordered(table)
    # Every item, whether it has such a row or not: so all numbers are resampled alike.
    items = table["item"].unique().sort()
    frame = pl.DataFrame({"pair": items.str.split(" ").list.first()})

    def samples(
        rows: pl.DataFrame, names: Sequence[str], by: str, groups: Iterable[str]
    ) -> Samples:
        measures = {name: pl.col(name) for name in names}
        of = tuple((group,) for group in groups)
        return replace(samples_of([rows], len(items), measures, (by,), of, items), frame=frame)

    return Reading(
        metric,
        samples(table, _MEASURES, "variant", families),
        samples(fakes, ("fooled",), "variant", fakes["variant"].unique(maintain_order=True)),
        samples(ordered, ("right",), "scale", ordered["scale"].unique(maintain_order=True)),
    )


def _ordered(table: pl.DataFrame) -> pl.DataFrame:
    """For each item and scale of severity the share of pairs in the right order.

    Cuts are a scale of their own: that half is more than a quarter no judge had to say.
    """
    scale = pl.when(pl.col("variant").str.starts_with("cut(")).then(pl.lit("cut"))
    severe = table.filter(pl.col("severity").is_not_null()).select(
        "item", "severity", "drop", scale.otherwise(pl.lit("severity")).alias("scale")
    )
    pairs = severe.join(severe, on=["item", "scale"]).filter(
        pl.col("severity") < pl.col("severity_right")
    )
    more = pl.col("drop_right") - pl.col("drop")
    right = pl.when(more.abs() <= TIE).then(0.5).otherwise((more > TIE).cast(pl.Float64))
    return pairs.group_by("item", "scale", maintain_order=True).agg(right.mean().alias("right"))


def pair_names(pairs: Sequence[str]) -> Mapping[str, str]:
    """What varies among some pairs: the languages that are translated into, or from."""
    known = {name: Pair.parse(name) for name in pairs}
    sides = {
        "target": {p.target for p in known.values()},
        "source": {p.source for p in known.values()},
    }
    varying = [side for side, languages in sides.items() if len(languages) == len(pairs)]
    return {name: getattr(pair, varying[0]) if varying else name for name, pair in known.items()}
