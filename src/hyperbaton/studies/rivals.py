"""Systems against each other on what all of them translated, by any number of one system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

import numpy as np
import polars as pl

from hyperbaton.report.contents import Contest, Table
from hyperbaton.stats import holm
from hyperbaton.studies.aggregates import Aggregate, average
from hyperbaton.studies.ranking import contest
from hyperbaton.studies.study import ALL

__all__ = ["Entry", "Rated", "rankings", "rivalry"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Entry(Generic[T]):
    """One system on one corpus."""

    names: tuple[str, str]
    """The system by itself, and beside the same system in another run."""
    corpus: str
    items: Sequence[str]
    only: Callable[[Collection[str]], T]
    """What it made of some of the items, in the order of the corpus."""
    control: bool = False


@dataclass(frozen=True)
class Rated(Generic[T]):
    """A number that systems are compared by."""

    label: str
    of: Callable[[T], Aggregate]
    column: str = ""
    """The score of the explorer that it is the mean of."""
    lower: bool = False
    """Whether the lowest comes first."""
    leads: str = ""
    """What the first does beside another, as `is more robust than`."""


Rivals = Mapping[str, Mapping[str, T]]
"""What each system made of each corpus, the same items of it."""


def _rivals(entries: Sequence[Entry[T]]) -> Rivals[T]:
    """All systems on the corpora that they share, cut to the items that all of them have.

    So all numbers of a corpus are resampled over the same items, and differences are paired.
    """
    twice = max(Counter((each.names[0], each.corpus) for each in entries).values(), default=0) > 1
    found: dict[str, dict[str, Entry[T]]] = {}
    for each in entries:
        found.setdefault(each.names[twice], {})[each.corpus] = each
    corpora = list(dict.fromkeys(each.corpus for each in entries))
    shared = {
        corpus: set.intersection(*(set(mine[corpus].items) for mine in found.values()))
        for corpus in corpora
        if all(corpus in mine for mine in found.values())
    }
    return {
        system: {corpus: mine[corpus].only(items) for corpus, items in shared.items() if items}
        for system, mine in found.items()
    }


def rankings(entries: Sequence[Entry[T]], scores: Sequence[Rated[T]]) -> list[Contest]:
    """A ranking by each score, over all corpora alike; nothing where there is one system.

    Controls stand in no ranking: what copies its source is unmoved by construction.
    """
    rivals = _rivals([each for each in entries if not each.control])
    found = []
    for score in scores:
        means = {name: average(map(score.of, mine.values())) for name, mine in rivals.items()}
        told = (score.column, score.lower, score.leads)
        found.append(contest(score.label, means, _apart(means), *told))
    return [one for one in found if one is not None]


def _apart(means: Mapping[str, Aggregate]) -> Callable[[str, str], Aggregate]:
    return lambda one, other: means[one] - means[other]


def rivalry(entries: Sequence[Entry[T]], scores: Sequence[Rated[T]]) -> list[Table]:
    """A table of the differences of every two systems, over all corpora and in each."""
    rivals = _rivals(entries)
    rows: list[dict[str, object]] = []
    for one, other in combinations(rivals, 2):
        for score in scores:
            first, second = (
                {corpus: score.of(made) for corpus, made in rivals[name].items()}
                for name in (one, other)
            )
            apart = {corpus: first[corpus] - second[corpus] for corpus in first}
            if not apart:
                continue
            every = {ALL: average(first.values()) - average(second.values())}
            tests = [every[ALL].p, *holm([found.p for found in apart.values()])]
            spread = (every | apart) if len(apart) > 1 else apart
            rows += [
                {"first": one, "second": other, "corpus": corpus, "score": score.label}
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
