"""Which system is better: a ranking by each score, with ties where a difference is not certain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np

from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Contest, Duel
from hyperbaton.report.numbers import bounds, p_text, precision, show
from hyperbaton.stats import holm
from hyperbaton.studies.aggregates import Aggregate
from hyperbaton.studies.claims import LEVEL
from hyperbaton.studies.summary import Summary

__all__ = ["contest", "contests", "ranks"]


def contests(
    summary: Summary,
    scores: Mapping[str, str],
    clean: Sequence[str] = (),
    lower: Sequence[str] = (),
) -> list[Contest]:
    """A contest by each score over all pairs and variants; `clean` are those of the clean source.

    `scores` maps names to labels; more is better, but of those that are `lower` less is.
    """
    if len(summary.named) < 2:
        return []
    found = (
        _contest(summary, score, label, IDENTITY if score in clean else None, score in lower)
        for score, label in scores.items()
    )
    return [contest for contest in found if contest is not None]


def _contest(
    summary: Summary, score: str, label: str, variant: str | None, lower: bool
) -> Contest | None:
    variants = summary.variants if variant is None else (variant,)
    means = {
        system: summary.lead.mean(score, system=system, variant=variants)
        for system in summary.named
    }

    def apart(one: str, other: str) -> Aggregate:
        return summary.lead.difference(score, {"system": one}, {"system": other}, variant=variants)

    return contest(label, means, apart, score, summary.controls, lower)


def contest(
    label: str,
    means: Mapping[str, Aggregate],
    apart: Callable[[str, str], Aggregate],
    column: str = "",
    controls: Sequence[str] = (),
    lower: bool = False,
) -> Contest | None:
    """Systems by the mean of a score, `apart` being the difference of two; nothing for one alone.

    `lower`: less is better.
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
        _sentence(label, places, duels, lower),
        {system: (places[system], known[system].span) for system in order},
        duels,
        column,
        [system for system in order if system in controls],
        lower,
    )


def ranks(order: Sequence[str], better: set[tuple[str, str]]) -> dict[str, int]:
    """1 and the number of systems that are certainly better.

    >>> ranks(["a", "b", "c"], {("a", "c")})
    {'a': 1, 'b': 1, 'c': 2}
    """
    return {name: 1 + sum((other, name) in better for other in order) for name in order}


def _sentence(
    label: str, places: Mapping[str, int], duels: Sequence[Duel], lower: bool = False
) -> str:
    """Who is better, by how much, and whether that is certain."""
    first = [name for name, place in places.items() if place == 1]
    duel = duels[0]
    if len(first) == 1:
        how = "lower" if lower else "higher"
        by = _by(duel, -1 if lower else 1)
        return f"{duel.first} is better than {duel.second}: its {label} is {how} by {by}."
    named = f"{', '.join(first[:-1])} and {first[-1]}"
    apart = f"{duel.first} − {duel.second} is {_by(duel)}"
    return f"{named} share the first place by {label}: {apart}, which is not certain."


def _by(duel: Duel, sign: int = 1) -> str:
    digits = precision(*duel.value)
    value, *ends = (sign * end for end in duel.value)
    low, high = sorted(ends)
    return f"{show(value, digits)} {bounds(low, high, digits)}, {p_text(duel.p)}".removesuffix(", ")
