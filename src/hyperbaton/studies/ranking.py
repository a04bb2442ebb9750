"""Which system is better: a ranking by each score, with ties where a difference is not certain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Contest, Duel, Span
from hyperbaton.report.numbers import p_text, precision, show
from hyperbaton.stats import holm
from hyperbaton.studies.aggregates import Aggregate
from hyperbaton.studies.claims import LEVEL
from hyperbaton.studies.summary import Summary

__all__ = ["contests", "ranks"]


def contests(
    summary: Summary, scores: Mapping[str, str], clean: Sequence[str] = ()
) -> list[Contest]:
    """A contest by each score over all pairs and variants; `clean` are those of the clean source.

    `scores` maps names to labels; of all of them, more is better.
    """
    if len(summary.named) < 2:
        return []
    found = (_contest(summary, score, label, score in clean) for score, label in scores.items())
    return [contest for contest in found if contest is not None]


def _contest(summary: Summary, score: str, label: str, clean: bool) -> Contest | None:
    variants = (IDENTITY,) if clean else summary.variants
    means = {
        system: summary.lead.mean(score, system=system, variant=variants)
        for system in summary.named
    }
    means = {system: mean for system, mean in means.items() if np.isfinite(mean.value)}
    if len(means) < 2:
        return None
    order = sorted(means, key=lambda system: -means[system].value)
    apart = {
        pair: summary.lead.difference(
            score, {"system": pair[0]}, {"system": pair[1]}, variant=variants
        )
        for pair in combinations(order, 2)
    }
    tests = dict(zip(apart, holm([found.p for found in apart.values()]), strict=True))
    places = ranks(order, {pair for pair, p in tests.items() if p < LEVEL})
    duels = [
        Duel(*pair, _span(found), tests[pair], tests[pair] < LEVEL) for pair, found in apart.items()
    ]
    return Contest(
        label,
        _sentence(label, places, duels),
        {system: (places[system], _span(means[system])) for system in order},
        duels,
        score,
        summary.controls,
    )


def ranks(order: Sequence[str], better: set[tuple[str, str]]) -> dict[str, int]:
    """1 and the number of systems that are certainly better.

    >>> ranks(["a", "b", "c"], {("a", "c")})
    {'a': 1, 'b': 1, 'c': 2}
    """
    return {name: 1 + sum((other, name) in better for other in order) for name in order}


def _span(found: Aggregate) -> Span:
    return found.value, found.low, found.high


def _sentence(label: str, places: Mapping[str, int], duels: Sequence[Duel]) -> str:
    """Who is better, by how much, and whether that is certain."""
    first = [name for name, place in places.items() if place == 1]
    duel = duels[0]
    digits = precision(*duel.value)
    value, low, high = (show(end, digits) for end in duel.value)
    by = f"{value} [{low}, {high}], {p_text(duel.p)}".removesuffix(", ")
    if len(first) == 1:
        return f"{duel.first} is better than {duel.second}: its {label} is higher by {by}."
    named = f"{', '.join(first[:-1])} and {first[-1]}"
    apart = f"{duel.first} − {duel.second} is {by}"
    return f"{named} share the first place by {label}: {apart}, which is not certain."
