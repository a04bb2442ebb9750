"""Scores item by item, for correlations, and how alike two perturbations of an item are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Literal

import numpy as np
import polars as pl

from hyperbaton.perturb import Perturbation
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.pipeline.stages.scoring import settled
from hyperbaton.stats import Bootstrap, rank_correlations
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.layer.aggregate import NOTHING, Aggregate, Floats, mean_of_known, of_sums
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
_COMPARED = 300
"""Items of a language whose variants are compared; the means do not need more."""
_SCHEMA = {"item": pl.String(), "a": pl.String(), "b": pl.String(), "value": pl.Float64()}
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

    @cached_property
    def alike(self) -> dict[str, pl.DataFrame]:
        """How alike two variants of an item are: a row for each, by language of a text."""
        found: dict[str, pl.DataFrame] = {}
        for run in dict.fromkeys(source.run for source in self.summary.sources):
            for pair in run.pairs:
                sides = (pair.source, "varied"), (pair.target, "varied_reference")
                for language, column in sides:
                    if language not in found:
                        texts = _texts(run, pair, column)
                        found[language] = _between(texts, self.summary, language)
        return found

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
        drawn.append(np.concatenate([rank_correlations(some, x, y, mine) for some in counts]))
    if not values:
        return NOTHING
    all_drawn = mean_of_known(np.stack(drawn, axis=1))
    value = float(mean_of_known(np.array([values]))[0])
    return Aggregate.of(value, all_drawn, size).within(-1, 1)


def similarities(profiled: Profiled) -> dict[str, dict[tuple[str, str], float]]:
    """The mean similarity of every two variants, by language."""
    found = {}
    for language, rows in profiled.alike.items():
        means = rows.group_by("a", "b", maintain_order=True).agg(pl.col("value").mean())
        there = {*rows["a"].unique(), *rows["b"].unique()}
        names = [name for name in profiled.summary.variants if name in there]
        values = {(name, name): 1.0 for name in names}
        for one, other, value in means.iter_rows():
            values[one, other] = values[other, one] = value
        found[language] = values
    return found


def inside_minus_between(
    profiled: Profiled, perturbations: Sequence[Perturbation]
) -> dict[str, Aggregate]:
    """How much more alike two of a family are than two of different ones, by language."""
    family = {str(one): one.category for one in perturbations}
    found = {}
    for language, rows in profiled.alike.items():
        known = rows.with_columns(
            inside=pl.col("a").replace_strict(family) == pl.col("b").replace_strict(family)
        )
        means = known.group_by("item", maintain_order=True).agg(
            apart=pl.col("value").filter("inside").mean()
            - pl.col("value").filter(~pl.col("inside")).mean()
        )
        values = means["apart"].drop_nulls().to_numpy()
        if len(values) > 1:
            table = np.column_stack([values, np.ones(len(values))])
            found[language] = of_sums(table, lambda sums: sums[:, 0] / sums[:, 1], Bootstrap())
    return found


def _texts(run: Run, pair: Pair, column: str) -> pl.DataFrame:
    """The first draws of the first items, a column for each perturbation."""
    rows = []
    items = 0
    for part in run.parts(pair, columns=["item", "variant", "draw", column]):
        rows.append(part.filter(pl.col("draw") == 0).unique(["item", "variant"], keep="first"))
        items += part["item"].n_unique()
        if items >= _COMPARED:
            break
    wide = pl.concat(rows).sort("item", "variant").pivot("variant", index="item", values=column)
    return wide.head(_COMPARED)


def _between(texts: pl.DataFrame, summary: Summary, language: str) -> pl.DataFrame:
    there = [name for name in summary.variants if name in texts.columns]
    scorer = settled(summary.leading, language)
    pairs = [
        texts.select("item", pl.lit(one).alias("a"), pl.lit(other).alias("b"), x=one, y=other)
        for one, other in combinations(there, 2)
    ]
    if not pairs or scorer.needs_sources:
        return pl.DataFrame(schema=_SCHEMA)
    rows = pl.concat(pairs).drop_nulls()
    scores = scorer.sentence_scores(rows["x"].to_list(), rows["y"].to_list())
    return rows.select("item", "a", "b", value=pl.Series(scores, dtype=pl.Float64))
