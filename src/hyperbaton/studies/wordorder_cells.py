"""Means of the word-order scores with their resamples, one cell per system, pair, perturbation.

A cell keeps its mean in every bootstrap resample, and all cells of equally many items share the
resamples. So any number made of means (a difference, a maximum, an average over languages) gets
its interval from the same draws, paired over items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.stats import Bootstrap
from hyperbaton.stats.resample import resampled_sums

__all__ = ["SCORES", "Aggregate", "Cell", "Cells", "Cube", "aggregate", "cube"]

Floats = NDArray[np.float64]

SCORES = ("beta", "beta1", "beta2", "difference", "alpha", "alpha_target", "flip", "flip_half")
"""`difference` is β2 − β1, below 0 where a system is robust; the flips are shares of samples."""
_READ = ("item", "variant", "beta", "beta1", "beta2", "alpha", "alpha_target")
_BYTES_AT_ONCE = 1 << 24


class Cell(NamedTuple):
    """What a mean is over."""

    system: str
    pair: str
    variant: str


@dataclass(frozen=True)
class Cube:
    """The scores of one system on one pair: items × variants, NaN where nothing applies."""

    items: tuple[str, ...]
    variants: tuple[str, ...]
    scores: dict[str, Floats]

    @property
    def beta(self) -> Floats:
        """The quality of each item's plain translation."""
        return self.scores["beta"][:, self.variants.index(IDENTITY)]

    @property
    def noise(self) -> float:
        """The mean distance between the scores of two translations of the same source."""
        again = self.scores["beta1"][:, self.variants.index(IDENTITY)]
        return float(np.nanmean(np.abs(again - self.beta))) if len(again) else 0.0

    def perturbed(self, score: str) -> Floats:
        """A score without the column of the identity."""
        keep = [i for i, name in enumerate(self.variants) if name != IDENTITY]
        return self.scores[score][:, keep]


def cube(run: Run, pair: Pair, system: str, metric: str, variants: Sequence[str]) -> Cube:
    """Read the scores of one system on one pair; the draws of a perturbation are averaged."""
    names = (IDENTITY, *variants)
    columns = pl.DataFrame({"variant": names, "column": range(len(names))})
    items: dict[str, int] = {}
    size = run.record.progress[str(pair)].items
    # Filled part by part, so that no more than the numbers themselves is held.
    scores = {name: np.full((size, len(names)), np.nan) for name in SCORES}
    for part in run.parts(pair, system, metric, _READ):
        rows = _averaged(part).join(columns, on="variant", maintain_order="left")
        places = [items.setdefault(item, len(items)) for item in rows["item"]]
        at = np.array(places), rows["column"].to_numpy()
        for name, values in scores.items():
            values[at] = rows[name].fill_null(np.nan).to_numpy()
    return Cube(tuple(items), names, {n: values[: len(items)] for n, values in scores.items()})


def _averaged(part: pl.DataFrame) -> pl.DataFrame:
    """All scores of each item and variant, as means over the draws."""
    half = (pl.col("beta") <= 0.5) & (pl.col("beta1") > 0.5)
    return (
        part.with_columns(
            difference=pl.col("beta2") - pl.col("beta1"),
            flip=(pl.col("beta1") > pl.col("beta")).cast(pl.Float64),
            flip_half=half.cast(pl.Float64),
        )
        .group_by("item", "variant", maintain_order=True)
        .agg(pl.col(*SCORES).mean())
    )


class Aggregate(NamedTuple):
    """A number made of means, with its interval and its value in every resample."""

    value: float
    low: float
    high: float
    drawn: Floats

    @property
    def p(self) -> float:
        """Two-sided, by the bootstrap's standard error: can the value be 0?"""
        from scipy.special import ndtr

        known = self.drawn[~np.isnan(self.drawn)]
        if not len(known) or not np.isfinite(self.value):
            return float("nan")
        error = float(known.std())
        return float(2 * ndtr(-abs(self.value) / error)) if error else float(self.value == 0)


def aggregate(values: Floats, drawn: Floats, of: Callable[[Floats], Floats]) -> Aggregate:
    """Apply a function of means (along the last axis) to the data and to every resample."""
    value = float(of(values[None, :])[0])
    all_drawn = of(drawn)
    known = all_drawn[~np.isnan(all_drawn)]
    tails = np.quantile(known, [0.025, 0.975]) if len(known) else (np.nan, np.nan)
    return Aggregate(value, float(tails[0]), float(tails[1]), all_drawn)


class Cells:
    """The means of one metric in all cells, and their resamples."""

    def __init__(self, bootstrap: Bootstrap) -> None:
        self.bootstrap = bootstrap
        self.names: list[Cell] = []
        nothing = np.empty((bootstrap.resamples, 0), dtype=np.float32)
        self._values: dict[str, Floats] = dict.fromkeys(SCORES, np.empty(0))
        self._drawn: dict[str, NDArray[np.float32]] = dict.fromkeys(SCORES, nothing)
        self.counts: dict[Cell, int] = {}
        self.noise: dict[tuple[str, str], float] = {}

    def add(self, system: str, pair: str, found: Cube) -> None:
        """Enter what a cube holds."""
        names = [Cell(system, pair, variant) for variant in found.variants]
        self.names += names
        known = (~np.isnan(found.scores["beta1"])).sum(axis=0)
        self.counts.update(zip(names, known.tolist(), strict=True))
        self.noise[system, pair] = found.noise
        tables = [found.scores[score] for score in SCORES]
        for score, values, drawn in zip(SCORES, *_resampled(tables, self.bootstrap), strict=True):
            self._values[score] = np.concatenate([self._values[score], values])
            self._drawn[score] = np.concatenate([self._drawn[score], drawn], axis=1)

    def values(self, score: str, where: Iterable[int]) -> tuple[Floats, Floats]:
        """The means of some cells, in the data and in every resample."""
        some = list(where)
        return self._values[score][some], self._drawn[score][:, some].astype(np.float64)

    def where(
        self,
        system: str | None = None,
        pair: str | None = None,
        variants: Iterable[str] | None = None,
        systems: Iterable[str] | None = None,
    ) -> list[int]:
        """The cells of these systems, pairs and perturbations; never the identity, unless named."""
        wanted = None if variants is None else set(variants)
        among = None if systems is None else set(systems)
        return [
            i
            for i, cell in enumerate(self.names)
            if (system is None or cell.system == system)
            and (among is None or cell.system in among)
            and (pair is None or cell.pair == pair)
            and (cell.variant != IDENTITY if wanted is None else cell.variant in wanted)
        ]

    def mean(self, score: str, where: Iterable[int]) -> Aggregate:
        """The mean over cells, each with the same weight; cells without items do not count."""
        some = list(where)
        if not some:
            nothing = np.full(1, np.nan)
            return Aggregate(np.nan, np.nan, np.nan, nothing)
        found = aggregate(*self.values(score, some), mean_of_known)
        if all(self.counts[self.names[i]] < 2 for i in some):
            # One item is drawn again and again: an interval of no width would claim certainty.
            return Aggregate(found.value, np.nan, np.nan, np.full_like(found.drawn, np.nan))
        return found


def mean_of_known(rows: Floats) -> Floats:
    """The mean of each row over what is not NaN."""
    known = ~np.isnan(rows)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, rows, 0).sum(axis=1) / known.sum(axis=1))


def _resampled(
    tables: Sequence[Floats], bootstrap: Bootstrap
) -> tuple[list[Floats], list[NDArray[np.float32]]]:
    """The mean of each column of each table, and its mean in each resample.

    Drawing takes longer than adding, so the tables go together; some columns at a time. Tables
    mostly have their gaps in common, and what is known is counted once for all that have.
    """
    items, width = tables[0].shape
    at_once = max(1, _BYTES_AT_ONCE // (16 * len(tables) * max(1, items)))
    values, drawn = [], []
    for start in range(0, width, at_once):
        some = np.stack([table[:, start : start + at_once] for table in tables], axis=1)
        known = ~np.isnan(some).reshape(items, -1)
        firsts, owner = _alike(known)
        both = np.hstack([np.where(known, some.reshape(items, -1), 0), known[:, firsts]])
        drawn_sums = resampled_sums(both, bootstrap.resamples, bootstrap.seed)
        values.append(_ratios(both.sum(axis=0, keepdims=True), owner, len(tables)))
        drawn.append(_ratios(drawn_sums, owner, len(tables)).astype(np.float32))
    all_values, all_drawn = np.concatenate(values, axis=2), np.concatenate(drawn, axis=2)
    return [part[0] for part in all_values], list(all_drawn)


def _alike(known: NDArray[np.bool_]) -> tuple[list[int], NDArray[np.intp]]:
    """The columns that differ from all before them, and for each column the place of its like."""
    places: dict[bytes, int] = {}
    owner = [
        places.setdefault(column.tobytes(), len(places)) for column in np.packbits(known, axis=0).T
    ]
    firsts = [owner.index(place) for place in range(len(places))]
    return firsts, np.array(owner, dtype=np.intp)


def _ratios(sums: Floats, owner: NDArray[np.intp], tables: int) -> Floats:
    """Sums over counts: table × resample × column; `owner` is the place of a sum's count."""
    total, count = sums[:, : len(owner)], sums[:, len(owner) :]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            (total / count[:, owner]).reshape(len(sums), tables, -1).transpose(1, 0, 2)
        )
