"""Means of scores with their resamples, one cell per system, pair and group of rows.

A cell keeps its mean in every bootstrap resample, and all cells of equally many items share the
resamples. So any number made of means (a difference, a maximum, an average over languages) gets
its interval from the same draws, paired over items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hyperbaton.metrics.outcomes import ERRORS
from hyperbaton.pipeline import IDENTITY
from hyperbaton.stats import Bootstrap
from hyperbaton.stats.intervals import Method
from hyperbaton.studies.aggregates import (
    FEWEST,
    NOTHING,
    Aggregate,
    Floats,
    aggregate,
    mean_of_known,
)
from hyperbaton.studies.cubes import Cube, Measures, read_cube
from hyperbaton.studies.resampled import resampled_means
from hyperbaton.studies.sources import Source

__all__ = ["Made", "Means", "Wanted"]

Wanted = str | Iterable[str]
"""One value of a column, or several."""
Made = Callable[..., Aggregate]
"""A number made of means: of the means, their metric, and the cells that keywords name."""


class Means:
    """The means of one metric in all cells, and their resamples."""

    def __init__(
        self,
        scores: Sequence[str],
        by: Sequence[str] = ("variant",),
        bootstrap: Bootstrap | None = None,
    ) -> None:
        self.scores = tuple(scores)
        self.columns = ("system", "pair", *by)
        self.bootstrap = bootstrap or Bootstrap()
        self.cells: list[tuple[str, ...]] = []
        self._having: list[dict[str, set[int]]] = [{} for _ in self.columns]
        """Of each column, the cells with each of its values."""
        self._identity: set[int] = set()
        self._shares: set[str] = set()
        self._range: dict[str, tuple[float, float]] = {}
        """The smallest and the largest value of each score."""
        self._drawn_from: list[int] = []
        """Of each cell, the items that its resamples are drawn from."""
        nothing = np.empty((self.bootstrap.resamples, 0), dtype=np.float32)
        self._values: dict[str, Floats] = dict.fromkeys(self.scores, np.empty(0))
        self._drawn: dict[str, NDArray[np.float32]] = dict.fromkeys(self.scores, nothing)
        self._counts: dict[str, NDArray[np.int64]] = dict.fromkeys(
            self.scores, np.empty(0, dtype=np.int64)
        )

    @classmethod
    def read(
        cls,
        sources: Iterable[Source],
        metric: str,
        measures: Measures,
        by: Sequence[str] = ("variant",),
        bootstrap: Bootstrap | None = None,
    ) -> Means:
        """The means of systems under a metric, by any columns of their probes."""
        means = cls(tuple(measures), by, bootstrap)
        for source in sources:
            means.add(source, read_cube(source, metric, measures, by))
        return means

    def add(self, source: Source, cube: Cube) -> None:
        """Enter what a cube holds."""
        for group in cube.groups:
            cell, number = (source.system, str(source.pair), *group), len(self.cells)
            self.cells.append(cell)
            for having, value in zip(self._having, cell, strict=True):
                having.setdefault(value, set()).add(number)
            self._drawn_from.append(len(cube.items))
            if IDENTITY in group:
                self._identity.add(number)
        self._shares |= cube.shares
        tables = [cube.scores[score] for score in self.scores]
        found = zip(self.scores, tables, *resampled_means(tables, self.bootstrap), strict=True)
        for score, table, values, plain in found:
            drawn = plain + _errors(source.system, score, values, len(plain))
            self._values[score] = np.concatenate([self._values[score], values])
            self._drawn[score] = np.concatenate([self._drawn[score], drawn], axis=1)
            ends = *self._range.get(score, ()), *_ends(table)
            self._range[score] = min(ends), max(ends)
            known = (~np.isnan(table)).sum(axis=0)
            self._counts[score] = np.concatenate([self._counts[score], known])

    def where(self, **wanted: Wanted) -> list[int]:
        """The cells with these values; never those of the identity, unless it is named."""
        found = []
        for name, values in wanted.items():
            having = self._having[self.columns.index(name)]
            found.append(set[int]().union(*(having.get(one, ()) for one in _several(values))))
        some = set.intersection(*found) if found else set(range(len(self.cells)))
        return sorted(some if "variant" in wanted else some - self._identity)

    def count(self, score: str, **wanted: Wanted) -> int:
        """The samples in cells."""
        return int(self._counts[score][self.where(**wanted)].sum())

    def sizes(self, score: str, cells: Sequence[int]) -> NDArray[np.int64]:
        """How many samples each of some cells has."""
        return self._counts[score][list(cells)]

    def items(self, score: str, cells: Iterable[int]) -> int:
        """The items behind cells: of those that share their resamples, the largest cell's.

        So the same sentences translated by several systems, or into several languages, count once.
        """
        most: dict[int, int] = {}
        for i in cells:
            owner = self._drawn_from[i]
            most[owner] = max(most.get(owner, 0), int(self._counts[score][i]))
        return sum(most.values())

    def values(self, score: str, cells: Iterable[int]) -> tuple[Floats, Floats]:
        """The means of some cells, in the data and in every resample."""
        some = list(cells)
        return self._values[score][some], self._drawn[score][:, some].astype(np.float64)

    def of(
        self,
        function: Callable[[Floats], Floats],
        score: str,
        cells: Sequence[int],
        method: Method = "bca-t",
    ) -> Aggregate:
        """Any function of the means of some cells, which stand along the last axis."""
        if not len(cells):
            return NOTHING
        items = self.items(score, cells)
        found = aggregate(*self.values(score, cells), function, items, method)
        if self.sizes(score, cells).max() < 2:
            # One item is drawn again and again: an interval of no width would claim certainty.
            return Aggregate.of(found.value, np.full_like(found.drawn, np.nan), found.n, method)
        return found

    def weights(self, score: str, cells: Sequence[int]) -> Floats:
        """1 for every cell of enough items; less, in proportion, where there are few."""
        return np.minimum(1.0, self.sizes(score, cells) / FEWEST)

    def mean(self, score: str, **wanted: Wanted) -> Aggregate:
        """The mean over cells, weighed by what they can bear."""
        cells = self.where(**wanted)
        weights = self.weights(score, cells)
        method: Method = "wilson" if score in self._shares else "bca-t"
        found = self.of(lambda rows: mean_of_known(rows, weights), score, cells, method)
        return found.within(*self._possible(score))

    def _possible(self, score: str) -> tuple[float, float]:
        """What a mean can be: scores that lie between 0 and 1, or −1 and 1, lie there always."""
        low, high = self._range[score]
        return (0.0 if low >= 0 else -1.0 if low >= -1 else -np.inf), (1.0 if high <= 1 else np.inf)

    def difference(
        self, score: str, one: Mapping[str, Wanted], other: Mapping[str, Wanted], **both: Wanted
    ) -> Aggregate:
        """The mean over some cells minus that over others, as `{"system": "a"}`, `{…: "b"}`."""
        first = self.where(**one, **both)
        cells = [*first, *self.where(**other, **both)]
        cut = len(first)
        if not 0 < cut < len(cells):
            return NOTHING
        weights = self.weights(score, cells)

        def apart(rows: Floats) -> Floats:
            one, other = mean_of_known(rows[:, :cut], weights[:cut]), rows[:, cut:]
            return one - mean_of_known(other, weights[cut:])

        method: Method = "agresti-min" if score in self._shares else "bca-t"
        least, most = self._possible(score)
        return self.of(apart, score, cells, method).within(least - most, most - least)


def _errors(system: str, score: str, shares: Floats, resamples: int) -> NDArray[np.float32]:
    """What the rule errs by in each resample of shares: it errs one way for all of a system."""
    if score not in ERRORS:
        return np.zeros((resamples, len(shares)), dtype=np.float32)
    drawn = np.random.default_rng(crc32(f"{system} {score}".encode())).normal(size=resamples)
    sizes = ERRORS[score] * np.sqrt(shares * (1 - shares))
    return np.outer(drawn, sizes).astype(np.float32)


def _ends(table: Floats) -> tuple[float, float]:
    known = table[~np.isnan(table)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)


def _several(wanted: Wanted) -> Iterable[str]:
    return (wanted,) if isinstance(wanted, str) else wanted
