"""Means of many samples: one cell per system, pair and group, each with its resamples.

A cell keeps its mean in every bootstrap resample, and all cells of equally many items share the
resamples. So any number made of means (a difference, a maximum, an average over languages) gets
its interval from the same draws, paired over items.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hyperbaton.metrics.outcomes import ERRORS
from hyperbaton.pipeline import IDENTITY
from hyperbaton.stats import Bootstrap
from hyperbaton.stats.intervals import Method
from hyperbaton.studies.layer.aggregate import FEWEST, NOTHING, Aggregate, Floats, mean_of_known
from hyperbaton.studies.layer.samples import Measures, Samples, read_samples
from hyperbaton.studies.layer.sources import Source

Wanted = str | Sequence[str]
"""One value of a column, or several."""
Ratios = Mapping[str, tuple[str, str]]
"""Scores that are the mean of one score over that of another."""
_REMEMBERED = 1000
"""Means that are kept for the next table or figure: 8 kB each."""


class Means:
    """The means of one metric in all cells, and their resamples."""

    def __init__(
        self,
        scores: Sequence[str],
        by: Sequence[str] = ("variant",),
        bootstrap: Bootstrap | None = None,
        ratios: Ratios | None = None,
    ) -> None:
        self.scores = tuple(scores)
        self.ratios = ratios or {}
        self.columns = ("system", "pair", *by)
        self.bootstrap = bootstrap or Bootstrap()
        self.cells: list[tuple[str, ...]] = []
        self._numbers = {score: number for number, score in enumerate(self.scores)}
        self._shares: set[str] = set()
        self._range: dict[str, tuple[float, float]] = {}
        """The smallest and the largest value of each score."""
        self._drawn_from: list[int] = []
        """Of each cell, the items that its resamples are drawn from."""
        size = len(self.scores)
        self._values = np.empty((size, 0))
        self._counts = np.empty((size, 0), dtype=np.int64)
        self._drawn = np.empty((self.bootstrap.resamples, size, 0), dtype=np.float32)
        self._found: dict[object, list[int]] = {}
        self._means: dict[object, Aggregate] = {}

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
            means.add(source, read_samples(source, metric, measures, by))
        return means

    def add(self, source: Source, samples: Samples) -> None:
        """Enter the means of samples."""
        self.cells += [(source.system, str(source.pair), *group) for group in samples.groups]
        self._drawn_from += [len(samples)] * len(samples.groups)
        self._shares |= samples.shares
        values, drawn = samples.cell_means(self.bootstrap)
        tables = [samples.scores[score] for score in self.scores]
        for number, (score, table) in enumerate(zip(self.scores, tables, strict=True)):
            known = table[~np.isnan(table)]
            ends = (*self._range.get(score, ()), known.min(initial=0), known.max(initial=0))
            self._range[score] = min(ends), max(ends)
            if score in ERRORS:
                drawn[:, number] += _errors(source.system, score, values[number], len(drawn))
        counts = np.stack([(~np.isnan(table)).sum(axis=0) for table in tables])
        self._values = np.concatenate([self._values, values], axis=1)
        self._counts = np.concatenate([self._counts, counts], axis=1)
        self._drawn = np.concatenate([self._drawn, drawn], axis=2)
        self._found.clear()
        self._means.clear()

    def where(self, **wanted: Wanted) -> list[int]:
        """The cells with these values; never those of the identity, unless it is named."""
        named = {k: {v} if isinstance(v, str) else frozenset(v) for k, v in wanted.items()}
        key = tuple((name, frozenset(values)) for name, values in named.items())
        if key not in self._found:
            places = [(self.columns.index(name), values) for name, values in named.items()]
            self._found[key] = [
                number
                for number, cell in enumerate(self.cells)
                if all(cell[place] in values for place, values in places)
                and ("variant" in named or IDENTITY not in cell)
            ]
        return self._found[key]

    def has(self, score: str) -> bool:
        """Whether there is such a score, or such a ratio."""
        return score in self._numbers or score in self.ratios

    def count(self, score: str, **wanted: Wanted) -> int:
        """The samples in cells."""
        return int(self.sizes(score, self.where(**wanted)).sum())

    def sizes(self, score: str, cells: Sequence[int]) -> NDArray[np.int64]:
        """How many samples each of some cells has."""
        score = self.ratios[score][0] if score in self.ratios else score
        return self._counts[self._numbers[score], cells]

    def values(self, score: str, cells: Sequence[int]) -> tuple[Floats, Floats]:
        """The means of some cells, in the data and in every resample."""
        number = self._numbers[score]
        return self._values[number, cells], self._drawn[:, number, cells].astype(np.float64)

    def mean(self, score: str, **wanted: Wanted) -> Aggregate:
        """The mean over cells; one of few items weighs less, in proportion."""
        if score in self.ratios:
            over, under = self.ratios[score]
            return self.mean(over, **wanted) / self.mean(under, **wanted)
        cells = self.where(**wanted)
        key = score, tuple(cells)
        if key not in self._means:
            if len(self._means) >= _REMEMBERED:
                self._means.clear()
            self._means[key] = self._aggregate(score, cells)
        return self._means[key]

    def difference(
        self, score: str, one: Mapping[str, Wanted], other: Mapping[str, Wanted], **both: Wanted
    ) -> Aggregate:
        """The mean over some cells minus that over others, as `{"system": "a"}`, `{…: "b"}`."""
        if score in self.ratios:
            return self.mean(score, **one, **both) - self.mean(score, **other, **both)
        first, second = self.where(**one, **both), self.where(**other, **both)
        return self._aggregate(score, first, second) if first and second else NOTHING

    def _aggregate(self, score: str, first: list[int], second: Sequence[int] = ()) -> Aggregate:
        """The mean over cells, maybe minus that over others."""
        cells = [*first, *second]
        if not cells:
            return NOTHING
        low, high = self._range[score]
        # Scores that lie between 0 and 1, or −1 and 1, have such means in every interval.
        least = 0.0 if low >= 0 else -1.0 if low >= -1 else -np.inf
        most = 1.0 if high <= 1 else np.inf
        is_share = score in self._shares
        method: Method = "wilson" if is_share else "bca-t"
        value, drawn = self._mean(score, first)
        if second:
            other, other_drawn = self._mean(score, second)
            value, drawn = value - other, drawn - other_drawn
            least, most = least - most, most - least
            method = "agresti-min" if is_share else "bca-t"
        # Of cells that share their resamples the largest one's items are behind the mean: the same
        # sentences translated by several systems, or into several languages, count once.
        items: dict[int, int] = {}
        for cell, size in zip(cells, self.sizes(score, cells).tolist(), strict=True):
            owner = self._drawn_from[cell]
            items[owner] = max(items.get(owner, 0), size)
        if max(items.values()) < 2:
            # One item is drawn again and again: an interval of no width would claim certainty.
            drawn = np.full_like(drawn, np.nan)
        return Aggregate.of(value, drawn, sum(items.values()), method).within(least, most)

    def _mean(self, score: str, cells: Sequence[int]) -> tuple[float, Floats]:
        """The mean over cells in the data and in every resample, few items weighing less."""
        values, drawn = self.values(score, cells)
        if len(cells) == 1:
            return float(values[0]), drawn[:, 0]
        weights = np.minimum(1.0, self.sizes(score, cells) / FEWEST)
        return float(mean_of_known(values[None, :], weights)[0]), mean_of_known(drawn, weights)


def _errors(system: str, score: str, shares: Floats, resamples: int) -> NDArray[np.float32]:
    """What the rule errs by in each resample of shares: it errs one way for all of a system."""
    drawn = np.random.default_rng(crc32(f"{system} {score}".encode())).normal(size=resamples)
    sizes = ERRORS[score] * np.sqrt(shares * (1 - shares))
    return np.outer(drawn, sizes).astype(np.float32)


@dataclass
class _Corpus:
    items: Sequence[str]
    known: dict[str, NDArray[np.bool_]]
    """Whether all systems have a score: items × groups, by score."""
    systems: int = 1


@dataclass
class SharedSamples:
    """Which samples of each corpus every system has; one that has none at all is passed over."""

    _corpora: dict[tuple[str, str], _Corpus] = field(default_factory=dict)
    _systems: set[str] = field(default_factory=set)
    _alike: bool = True

    @property
    def is_all(self) -> bool:
        """Whether no system has a sample that another lacks."""
        return self._alike and all(
            corpus.systems == len(self._systems) for corpus in self._corpora.values()
        )

    def add(self, source: Source, samples: Samples) -> None:
        """Leave out what this system does not have."""
        known = {name: ~np.isnan(table) for name, table in samples.scores.items()}
        if not any(table.any() for table in known.values()):
            return
        self._systems.add(source.system)
        corpus = self._corpora.get(source.corpus)
        if corpus is None:
            self._corpora[source.corpus] = _Corpus(samples.items, known)
            return
        corpus.systems += 1
        self._alike &= samples.items == corpus.items
        places, there = _places(samples.items, corpus.items)
        for name, shared in corpus.known.items():
            corpus.known[name] = shared & known[name][places] & there
            self._alike &= np.array_equal(known[name][places] & there, shared)

    def only(self, source: Source, samples: Samples) -> Samples | None:
        """What a system has of the shared samples; nothing of a corpus that not all have."""
        corpus = self._corpora.get(source.corpus)
        if corpus is None or corpus.systems < len(self._systems) or not samples.items:
            return None
        places, there = _places(samples.items, corpus.items)
        scores = {
            name: np.where(corpus.known[name] & there, table[places], np.nan)
            for name, table in samples.scores.items()
        }
        return replace(samples, items=corpus.items, scores=scores)


def _places(
    items: Sequence[str], wanted: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The row of each wanted item, and whether there is one."""
    known = {item: place for place, item in enumerate(items)}
    places = np.array([known.get(item, -1) for item in wanted], dtype=np.intp)
    return places, (places >= 0)[:, None]
