"""Systems against each other: one ranking, ties where a difference is not certain, no controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
import polars as pl

from hyperbaton.base.wording import amount, p_text
from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Contest, Duel, Table
from hyperbaton.stats import holm
from hyperbaton.studies.layer.aggregate import Aggregate, average
from hyperbaton.studies.layer.claims import LEVEL
from hyperbaton.studies.layer.experiment import ALL
from hyperbaton.studies.layer.samples import Samples
from hyperbaton.studies.layer.summary import Summary


@dataclass(frozen=True)
class Measure:
    """A number that systems are ranked by."""

    label: str
    made: Callable[..., Aggregate] | None = None
    """How it is made of samples; the mean of the score `column` where it is None."""
    column: str = ""
    """The score of the explorer that it is the mean of."""
    lower: bool = False
    """Whether the lowest comes first."""
    leads: str = ""
    """What the first does beside another, as `is more robust than`."""
    clean: bool = False
    """Whether it is a score of the clean source."""
    share: bool = False
    """Whether it is a share, which is told in per cent."""

    def of(self, samples: Samples) -> Aggregate:
        """The number of some samples."""
        return self.made(samples) if self.made else samples.mean(self.column)


def rank_systems(summary: Summary, measures: Sequence[Measure]) -> list[Contest]:
    """A ranking by each measure over all pairs and variants, of systems that are no controls."""
    if len(summary.rivals) < 2:
        return []
    found = (_by_measure(summary, measure) for measure in measures)
    return [contest for contest in found if contest is not None]


def _by_measure(summary: Summary, measure: Measure) -> Contest | None:
    means, score = summary.shared(), measure.column
    if not means.has(score):
        return None
    variants = (IDENTITY,) if measure.clean else summary.variants

    def apart(one: str, other: str) -> Aggregate:
        return means.difference(score, {"system": one}, {"system": other}, variant=variants)

    by_system = {one: means.mean(score, system=one, variant=variants) for one in summary.rivals}
    return ranking(measure, by_system, apart)


def ranking(
    measure: Measure,
    means: Mapping[str, Aggregate],
    apart: Callable[[str, str], Aggregate] | None = None,
) -> Contest | None:
    """Systems by the mean of a score; None for one alone.

    `apart` makes the difference of two; it is that of their means where it is None.
    """
    known = {system: mean for system, mean in means.items() if np.isfinite(mean.value)}
    if len(known) < 2:
        return None
    order = sorted(known, key=lambda system: known[system].value * (1 if measure.lower else -1))
    differences = {
        (one, other): apart(one, other) if apart else means[one] - means[other]
        for one, other in combinations(order, 2)
    }
    tests = dict(zip(differences, holm([each.p for each in differences.values()]), strict=True))
    places = ranks(order, {pair for pair, p in tests.items() if p < LEVEL})
    duels = [
        Duel(*pair, each.span, tests[pair], tests[pair] < LEVEL)
        for pair, each in differences.items()
    ]
    return Contest(
        measure.label,
        _sentence(measure, places, duels),
        {system: (places[system], known[system].span) for system in order},
        duels,
        measure.column,
        measure.lower,
        share=measure.share,
    )


def ranks(order: Sequence[str], ahead: set[tuple[str, str]]) -> dict[str, int]:
    """1 and the number of systems that are certainly ahead.

    >>> ranks(["a", "b", "c"], {("a", "c")})
    {'a': 1, 'b': 1, 'c': 2}
    """
    return {name: 1 + sum((other, name) in ahead for other in order) for name in order}


def _sentence(measure: Measure, places: Mapping[str, int], duels: Sequence[Duel]) -> str:
    """Who comes first, by how much, and whether that is certain."""
    label = measure.label
    first = [name for name, place in places.items() if place == 1]
    duel = duels[0]
    if len(first) == 1:
        how = "lower" if measure.lower else "higher"
        by = _by(duel, measure.share, -1 if measure.lower else 1)
        if not measure.leads:
            return f"{duel.first} has a {how} {label} than {duel.second}, by {by}."
        return f"{duel.first} {measure.leads} {duel.second}: its {label} is {how} by {by}."
    named = f"{', '.join(first[:-1])} and {first[-1]}"
    apart = f"{duel.first} − {duel.second} is {_by(duel, measure.share)}"
    return f"{named} share the first place by {label}: {apart}, which is not certain."


def _by(duel: Duel, share: bool, sign: int = 1) -> str:
    value, *ends = (sign * end for end in duel.value)
    low, high = sorted(ends)
    said = " ".join(amount(value, low, high, "points" if share else ""))
    return f"{said}, {p_text(duel.p)}".removesuffix(", ")


T = TypeVar("T", bound=Samples)


def _shared(samples: Sequence[T]) -> Mapping[str, Mapping[str, T]]:
    """All systems on the corpora that they share, cut to the items that all of them have.

    So all numbers of a corpus are resampled over the same items, and differences are paired.
    """
    twice = max(Counter((each.names[0], each.corpus) for each in samples).values(), default=0) > 1
    found: dict[str, dict[str, T]] = {}
    for each in samples:
        found.setdefault(each.names[twice], {})[each.corpus] = each
    corpora = list(dict.fromkeys(each.corpus for each in samples))
    shared = {
        corpus: set.intersection(*(set(mine[corpus].items) for mine in found.values()))
        for corpus in corpora
        if all(corpus in mine for mine in found.values())
    }
    return {
        system: {corpus: mine[corpus].only(items) for corpus, items in shared.items() if items}
        for system, mine in found.items()
    }


def rank_samples(samples: Sequence[T], measures: Sequence[Measure]) -> list[Contest]:
    """A ranking by each measure, over all corpora alike; nothing where there is one system.

    Controls stand in no ranking: what copies its source is unmoved by construction.
    """
    shared = _shared([each for each in samples if not each.control])
    found = []
    for measure in measures:
        means = {name: average(map(measure.of, mine.values())) for name, mine in shared.items()}
        found.append(ranking(measure, means))
    return [contest for contest in found if contest is not None]


def difference_tables(samples: Sequence[T], measures: Sequence[Measure]) -> list[Table]:
    """A table of the differences of every two systems, over all corpora and in each."""
    shared = _shared(samples)
    rows: list[dict[str, object]] = []
    for one, other in combinations(shared, 2):
        for measure in measures:
            first, second = (
                {corpus: measure.of(some) for corpus, some in shared[name].items()}
                for name in (one, other)
            )
            apart = {corpus: first[corpus] - second[corpus] for corpus in first}
            if not apart:
                continue
            every = {ALL: average(first.values()) - average(second.values())}
            tests = [every[ALL].p, *holm([found.p for found in apart.values()])]
            spread = (every | apart) if len(apart) > 1 else apart
            rows += [
                {"first": one, "second": other, "corpus": corpus, "score": measure.label}
                | {**found.spread("difference"), "p": p}
                for (corpus, found), p in zip(spread.items(), tests[-len(spread) :], strict=True)
                if np.isfinite(found.value)
            ]
    note = (
        "First minus second, on the sentences that all systems translated; 95 % intervals by "
        "paired bootstrap; p: is the difference other than 0, corrected after Holm over corpora."
    )
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return [Table("differences", "Differences between systems", frame, note)] if rows else []
