"""What is kept of each system and pair beside means: scores item by item, and how they spread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.report.contents import Table
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, mean_of_known
from hyperbaton.studies.layer.correlations import rank_correlation
from hyperbaton.studies.layer.means import Ratios
from hyperbaton.studies.layer.samples import Measures, Samples
from hyperbaton.studies.layer.sources import Source
from hyperbaton.studies.layer.summary import Summary, summarise

__all__ = ["BINS", "LENGTH", "Plan", "Profile", "Profiled", "profile_of", "profiled", "rank_table"]

BINS = np.linspace(-1.025, 1.025, 42)
"""Where distributions of differences are cut; the middle bin lies around 0."""
LENGTH = "length"
"""The score that is the length of the source in words."""
_SHOWN = 300


@dataclass(frozen=True)
class Plan:
    """Which scores are kept item by item."""

    measures: Measures
    ratios: Ratios
    clean: str
    """The score of the clean source."""
    varied: tuple[str, ...]
    """Scores that an item has for each variant, the second translation's first; means are kept."""
    spread: str
    """The difference whose distribution is kept."""
    unit: Literal["item", "sample"] = "item"
    """What a correlation is over: means of an item's variants, or single samples."""


@dataclass(frozen=True)
class Profile:
    """One system on one pair, item by item, under the leading metric."""

    scores: dict[str, Floats]
    histograms: dict[str, NDArray[np.int64]]
    """How often the difference falls into each bin, by variant."""
    samples: pl.DataFrame
    """Some single samples, for scatter plots."""
    sentences: tuple[str, ...]
    """The source of each item."""
    per_item: int = 1
    """How many scores in a row belong to the same item."""


@dataclass
class Profiled:
    """A summary, and the profile of each system on each pair."""

    summary: Summary
    plan: Plan
    profiles: dict[tuple[str, str], Profile] = field(default_factory=dict)
    _ranks: dict[tuple[str, ...], Aggregate] = field(default_factory=dict)

    def rank(self, key: tuple[str, str], one: str, other: str) -> Aggregate:
        """ρ of two scores of one system on one pair, computed once for tables and figures."""
        if (*key, one, other) not in self._ranks:
            profile = self.profiles[key]
            column = profile.scores[one], profile.scores[other], profile.sentences
            self._ranks[*key, one, other] = rank_correlation([column], profile.per_item)
        return self._ranks[*key, one, other]

    def correlation(self, one: str, other: str) -> Aggregate:
        """ρ of two scores, averaged over systems and languages; the same items for every ρ."""
        columns = []
        for (system, _), profile in self.profiles.items():
            if system not in self.summary.claimed:
                continue
            needed = (self.plan.clean, *self.plan.varied[:2])
            gaps = sum((profile.scores[score] * 0 for score in needed), np.zeros(1))
            both = profile.scores[one] + gaps, profile.scores[other] + gaps
            columns.append((*both, profile.sentences))
        return rank_correlation(columns, self.per_item)

    @property
    def per_item(self) -> int:
        """How many scores in a row belong to the same item."""
        return max((profile.per_item for profile in self.profiles.values()), default=1)

    @property
    def unit(self) -> str:
        """What correlations are over, in words."""
        items = "items, whose scores are means over perturbations"
        return items if self.plan.unit == "item" else "samples, resampled by item"


def profiled(
    runs: Sequence[Run],
    plan: Plan,
    variants: Sequence[str],
    metrics: Sequence[str] | None = None,
    bootstrap: Bootstrap | None = None,
) -> Profiled:
    """Read the scores of runs, one system and pair at a time."""
    profiles: dict[tuple[str, str], Profile] = {}

    def keep(source: Source, samples: Samples) -> None:
        profiles[source.system, str(source.pair)] = profile_of(source, samples, plan)

    again = (plan.clean, plan.varied[0])
    summary = summarise(runs, plan.measures, variants, again, metrics, keep, bootstrap, plan.ratios)
    return Profiled(summary, plan, profiles)


def profile_of(source: Source, samples: Samples, plan: Plan) -> Profile:
    """One system on one pair, from its scores."""
    clean = {
        item: (length, text)
        for part in source.run.parts(source.pair, columns=["item", "variant", "words", "source"])
        for item, length, text in part.filter(pl.col("variant") == IDENTITY)
        .select("item", pl.col("words").list.len(), "source")
        .iter_rows()
    }
    differences = zip(samples.groups, samples.scores[plan.spread].T, strict=True)
    size = len(samples.groups) - 1 if plan.unit == "sample" else 1
    lengths = [clean[item][0] for item in samples.items]
    once = {
        LENGTH: np.array(lengths, dtype=np.float64),
        plan.clean: samples.column(plan.clean),
    }
    varied = {score: samples.varied(score) for score in plan.varied}
    return Profile(
        scores={
            **{score: np.repeat(values, size) for score, values in once.items()},
            **{
                score: table.ravel() if plan.unit == "sample" else mean_of_known(table)
                for score, table in varied.items()
            },
        },
        histograms={
            variant: np.histogram(column[~np.isnan(column)], BINS)[0]
            for (variant,), column in differences
            if variant != IDENTITY
        },
        samples=_samples(samples, plan.varied),
        sentences=tuple(clean[item][1] for item in samples.items),
        per_item=size,
    )


def _samples(samples: Samples, scores: Iterable[str]) -> pl.DataFrame:
    """Samples spread evenly over items and variants."""
    columns = {name: samples.varied(name).ravel() for name in scores}
    known = np.flatnonzero(~np.isnan(next(iter(columns.values()))))
    # An odd step meets all of 16 variants in turn.
    some = known[:: len(known) // _SHOWN | 1][:_SHOWN]
    return pl.DataFrame({name: values[some].round(4) for name, values in columns.items()})


def rank_table(
    found: Profiled, pairs: Sequence[tuple[str, str]], labels: Mapping[str, str]
) -> Table:
    """Spearman's ρ of scores over items, for each system and language pair."""
    rows: list[tuple[object, ...]] = []
    for key, profile in found.profiles.items():
        for one, other in pairs:
            a, b = profile.scores[one], profile.scores[other]
            known = np.isfinite(a) & np.isfinite(b)
            if known.sum() < 4:
                continue
            rho = found.rank(key, one, other)
            rows.append((*key, labels[one], labels[other], *rho.span, int(known.sum()), rho.n))
    counted = dict.fromkeys((f"{found.plan.unit}s", "sentences"), pl.Int64())
    schema = dict.fromkeys(("system", "pair", "of", "and"), pl.String())
    spans = dict.fromkeys(("ρ", "low", "high"), pl.Float64())
    return Table(
        "rho",
        f"Rank correlations over {found.plan.unit}s (F6, F7, F15)",
        pl.DataFrame(rows, schema={**schema, **spans, **counted}, orient="row"),
        f"Spearman's ρ, {found.summary.leading}, over {found.unit}; length in words of the "
        "source; low and high: 95 % interval, for which whole sentences are resampled.",
    )
