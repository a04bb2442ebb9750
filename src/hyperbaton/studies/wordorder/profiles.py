"""What is kept of each system and pair beside means: scores item by item, for correlations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl

from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.stats import rank_correlations
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.layer.aggregate import NOTHING, Aggregate, Floats, mean_of_known
from hyperbaton.studies.layer.samples import Samples, read_samples
from hyperbaton.studies.layer.sources import Source
from hyperbaton.studies.layer.summary import Summary, summarise
from hyperbaton.studies.wordorder.measures import MEASURES, RATIOS, VARIED

LENGTH = "length"
"""The score that is the length of the source in words."""
_MOST = 20_000
"""Values that a correlation is resampled over; of more, an even choice is taken."""
_FEWEST = 4
"""Sentences that a correlation needs."""
Unit = Literal["item", "sample"]


@dataclass(frozen=True)
class Profile:
    """One system on one pair, item by item, under the leading metric."""

    source: Source
    scores: dict[str, Floats]
    sentences: tuple[str, ...]
    """The source of each item."""
    per_item: int = 1
    """How many scores in a row belong to the same item."""


@dataclass
class Profiled:
    """A summary, and the profile of each system on each pair."""

    summary: Summary
    unit: Unit = "item"
    """What a correlation is over: means of an item's variants, or single samples."""
    profiles: dict[tuple[str, str], Profile] = field(default_factory=dict)
    _ranks: dict[tuple[str, ...], Aggregate] = field(default_factory=dict)
    _alike: Mapping[str, pl.DataFrame] | None = None

    def alike(
        self, make: Callable[[Summary], Mapping[str, pl.DataFrame]]
    ) -> Mapping[str, pl.DataFrame]:
        """How alike two perturbations of an item are, made once for claims and figures."""
        if self._alike is None:
            self._alike = make(self.summary)
        return self._alike

    def add_alpha(self, metric: str) -> None:
        """α by another metric, as a score of its name."""
        measure = {"alpha": pl.col("alpha")}
        groups = [(IDENTITY,), *((name,) for name in self.summary.variants)]
        for source in self.summary.tested:
            profile = self.profiles.get((source.system, str(source.pair)))
            if profile is not None and metric not in profile.scores:
                table = read_samples(source, metric, measure, groups=groups).varied("alpha")
                values = table.ravel() if self.unit == "sample" else mean_of_known(table)
                profile.scores[metric] = values

    def rank(self, key: tuple[str, str], one: str, other: str) -> Aggregate:
        """ρ of two scores of one system on one pair, computed once for tables and figures."""
        if (*key, one, other) not in self._ranks:
            profile = self.profiles[key]
            column = profile.scores[one], profile.scores[other], profile.sentences
            self._ranks[*key, one, other] = rank_correlation([column], profile.per_item)
        return self._ranks[*key, one, other]

    def correlation(
        self, one: str, other: str, systems: Sequence[str], pairs: Sequence[str] = ()
    ) -> Aggregate:
        """ρ of two scores, averaged over systems and languages; the same items for every ρ."""
        columns = []
        for (system, pair), profile in self.profiles.items():
            if system not in systems or (pairs and pair not in pairs):
                continue
            needed = ("beta", "beta1", "beta2")
            gaps = sum((profile.scores[score] * 0 for score in needed), np.zeros(1))
            both = profile.scores[one] + gaps, profile.scores[other] + gaps
            columns.append((*both, profile.sentences))
        return rank_correlation(columns, self.per_item)

    @property
    def per_item(self) -> int:
        """How many scores in a row belong to the same item."""
        return max((profile.per_item for profile in self.profiles.values()), default=1)

    @property
    def observations(self) -> str:
        """What correlations are over, in words."""
        items = "items, whose scores are means over perturbations"
        return items if self.unit == "item" else "samples, resampled by item"


def profiled(
    runs: Sequence[Run],
    unit: Unit,
    variants: Sequence[str],
    metrics: Sequence[str] | None = None,
) -> Profiled:
    """Read the scores of runs, one system and pair at a time."""
    profiles: dict[tuple[str, str], Profile] = {}

    def keep(source: Source, samples: Samples) -> None:
        profiles[source.system, str(source.pair)] = profile_of(source, samples, unit)

    again = ("beta", "beta1")
    summary = summarise(runs, MEASURES, variants, again, metrics, keep, RATIOS)
    return Profiled(summary, unit, profiles)


def profile_of(source: Source, samples: Samples, unit: Unit) -> Profile:
    """One system on one pair, from its scores."""
    clean = {
        item: (length, text)
        for part in source.run.parts(source.pair, columns=["item", "variant", "words", "source"])
        for item, length, text in part.filter(pl.col("variant") == IDENTITY)
        .select("item", pl.col("words").list.len(), "source")
        .iter_rows()
    }
    size = len(samples.groups) - 1 if unit == "sample" else 1
    lengths = [clean[item][0] for item in samples.items]
    once = {
        LENGTH: np.array(lengths, dtype=np.float64),
        "beta": samples.column("beta"),
    }
    varied = {score: samples.varied(score) for score in VARIED}
    varied["lesser"] = np.minimum(varied["beta1"], varied["beta2"])
    return Profile(
        source,
        {
            **{score: np.repeat(values, size) for score, values in once.items()},
            **{
                score: table.ravel() if unit == "sample" else mean_of_known(table)
                for score, table in varied.items()
            },
        },
        tuple(clean[item][1] for item in samples.items),
        size,
    )


def rank_correlation(
    columns: Iterable[tuple[Floats, Floats, Sequence[str]]], per_item: int = 1
) -> Aggregate:
    """The mean of Spearman's ρ over pairs of columns, each with the sentences of its items.

    An item has `per_item` values in a row. Whole sentences are resampled, with all that belongs
    to them in all columns: a sentence that two systems translated counts once.
    """
    known = [
        (a, b, sentences, np.flatnonzero(np.isfinite(a) & np.isfinite(b)))
        for a, b, sentences in columns
    ]
    places: dict[str, int] = {}
    owners = [
        np.array(
            [places.setdefault(some[i], len(places)) for i in (there // per_item).tolist()], np.intp
        )
        for _, _, some, there in known
    ]
    step = max(1, -(-len(places) * per_item // _MOST))
    size = -(-len(places) // step)
    values, drawn = [], []
    for (a, b, _, there), owner in zip(known, owners, strict=True):
        chosen = owner % step == 0
        x, y, mine = a[there[chosen]], b[there[chosen]], owner[chosen] // step
        if len(np.unique(mine)) < _FEWEST:
            continue
        values.append(rank_correlations(np.ones((1, len(x))), x, y)[0])
        counts = count_vectors(size, 1000, 12345)
        drawn.append(np.concatenate([rank_correlations(some[:, mine], x, y) for some in counts]))
    if not values:
        return NOTHING
    all_drawn = mean_of_known(np.stack(drawn, axis=1))
    value = float(mean_of_known(np.array([values]))[0])
    return Aggregate.of(value, all_drawn, size).within(-1, 1)
