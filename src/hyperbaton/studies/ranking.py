"""Systems against each other: a ranking by each score, ties where a difference is not certain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Contest, Duel
from hyperbaton.report.numbers import bounds, p_text, precision, show
from hyperbaton.stats import holm
from hyperbaton.studies.aggregates import Aggregate
from hyperbaton.studies.claims import LEVEL
from hyperbaton.studies.means import Made, Wanted
from hyperbaton.studies.summary import Summary

__all__ = ["Ranked", "contest", "contests", "ranks"]


@dataclass(frozen=True)
class Ranked:
    """A score that systems are ranked by."""

    label: str
    leads: str = ""
    """What the first does beside another, as `is more robust than`."""
    clean: bool = False
    """Whether it is a score of the clean source."""
    lower: bool = False
    """Whether the lowest comes first."""
    made: Made | None = None
    """How it is made of means, where it is no mean itself."""


def contests(summary: Summary, scores: Mapping[str, Ranked]) -> list[Contest]:
    """A contest by each score over all pairs and variants, of systems that are no controls."""
    found = (_contest(summary, score, ranked) for score, ranked in scores.items())
    return [contest for contest in found if contest is not None]


def _contest(summary: Summary, score: str, ranked: Ranked) -> Contest | None:
    means = summary.shared
    variants = (IDENTITY,) if ranked.clean else summary.variants

    def of(system: str) -> Aggregate:
        where: dict[str, Wanted] = {"system": system, "variant": variants}
        if ranked.made:
            return ranked.made(means, summary.leading, **where)
        return means.mean(score, **where)

    def apart(one: str, other: str) -> Aggregate:
        if ranked.made:
            return of(one) - of(other)
        return means.difference(score, {"system": one}, {"system": other}, variant=variants)

    found = {system: of(system) for system in summary.rivals}
    return contest(ranked.label, found, apart, score, ranked.lower, ranked.leads)


def contest(
    label: str,
    means: Mapping[str, Aggregate],
    apart: Callable[[str, str], Aggregate],
    column: str = "",
    lower: bool = False,
    leads: str = "",
) -> Contest | None:
    """Systems by the mean of a score, `apart` being the difference of two; nothing for one alone.

    `lower`: the lowest comes first; `leads`: what the first does beside another.
    """
    known = {system: mean for system, mean in means.items() if np.isfinite(mean.value)}
    if len(known) < 2:
        return None
    order = sorted(known, key=lambda system: known[system].value * (1 if lower else -1))
    found = {pair: apart(*pair) for pair in combinations(order, 2)}
    tests = dict(zip(found, holm([each.p for each in found.values()]), strict=True))
    places = ranks(order, {pair for pair, p in tests.items() if p < LEVEL})
    duels = [
        Duel(*pair, each.span, tests[pair], tests[pair] < LEVEL) for pair, each in found.items()
    ]
    return Contest(
        label,
        _sentence(label, places, duels, lower, leads),
        {system: (places[system], known[system].span) for system in order},
        duels,
        column,
        lower,
    )


def ranks(order: Sequence[str], ahead: set[tuple[str, str]]) -> dict[str, int]:
    """1 and the number of systems that are certainly ahead.

    >>> ranks(["a", "b", "c"], {("a", "c")})
    {'a': 1, 'b': 1, 'c': 2}
    """
    return {name: 1 + sum((other, name) in ahead for other in order) for name in order}


def _sentence(
    label: str, places: Mapping[str, int], duels: Sequence[Duel], lower: bool, leads: str
) -> str:
    """Who comes first, by how much, and whether that is certain."""
    first = [name for name, place in places.items() if place == 1]
    duel = duels[0]
    if len(first) == 1:
        how = "lower" if lower else "higher"
        by = _by(duel, -1 if lower else 1)
        if not leads:
            return f"{duel.first} has a {how} {label} than {duel.second}, by {by}."
        return f"{duel.first} {leads} {duel.second}: its {label} is {how} by {by}."
    named = f"{', '.join(first[:-1])} and {first[-1]}"
    apart = f"{duel.first} − {duel.second} is {_by(duel)}"
    return f"{named} share the first place by {label}: {apart}, which is not certain."


def _by(duel: Duel, sign: int = 1) -> str:
    digits = precision(*duel.value)
    value, *ends = (sign * end for end in duel.value)
    low, high = sorted(ends)
    return f"{show(value, digits)} {bounds(low, high, digits)}, {p_text(duel.p)}".removesuffix(", ")
