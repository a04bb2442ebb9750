"""The atlas in words: what a metric is blind to, and which metric to take for what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hyperbaton.base.wording import percent_text
from hyperbaton.report.contents import Headline
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.metrics.kinds import (
    ANOTHER,
    CASE,
    CHARACTERS,
    COPIED,
    DAMAGES,
    EMPTY,
    FORMS,
    HUB,
    MARKS,
    ORDER,
)
from hyperbaton.studies.metrics.noticing import Atlas, Noticed, Reading
from hyperbaton.studies.metrics.stored import BLIND

FAINT = 0.1
"""The strength beneath which a metric forgives what it notices."""
_CHANCE = 0.5
_MOST_NAMED = 3
_OFTEN = 0.05
"""The share of texts from which a metric is said to be fooled."""
_TOO_OFTEN = 0.2
"""The share from which it is recommended for nothing."""


def headlines(atlas: Atlas) -> list[Headline]:
    """Which metric to take for what, and what each metric is."""
    advised = [Headline(name, said) for name, said in recommendations(atlas).items()]
    return advised + [
        Headline(metric, f"{metric} {_verdict(atlas, reading)}.")
        for metric, reading in atlas.readings.items()
    ]


def _verdict(atlas: Atlas, reading: Reading) -> str:
    another, every = reading.another, reading.mean(atlas.kinds())
    if not np.isfinite(every.noticed.value):
        return "has no scores"
    if every.tied.value > 1 - 1e-9 and another.tied.value > 1 - 1e-9:
        return "gives every text the same score: it notices nothing"
    if not another.noticed.low > _CHANCE:
        return (
            f"scores the translation of another sentence lower {_percent(another.noticed)} of "
            "the time, no better than a coin: it says nothing about translations"
        )
    parts = [*_seen(atlas, reading), *_fooled(reading)]
    return "; ".join([f"notices {_percent(every.noticed)} of all damage", *parts])


def _percent(share: Aggregate) -> str:
    return percent_text(*share.span)


def _groups(atlas: Atlas, reading: Reading) -> Iterator[tuple[str, Noticed]]:
    for family in DAMAGES:
        cell = reading.mean(atlas.kinds([family]))
        if np.isfinite(cell.noticed.value):
            yield family, cell


def _seen(atlas: Atlas, reading: Reading) -> Iterator[str]:
    """What it is blind to, what it overlooks, and what it notices but forgives."""
    cells = dict(_groups(atlas, reading))
    blind = {f: c for f, c in cells.items() if c.tied.value >= BLIND}
    missed = {f: c for f, c in cells.items() if f not in blind and not c.noticed.low > _CHANCE}
    faint = {
        family: cell
        for family, cell in cells.items()
        if family not in {*blind, *missed} and cell.strength.high < FAINT
    }
    if blind:
        named = ", ".join(f"{f} (ties on {_percent(c.tied)})" for f, c in blind.items())
        yield f"is blind to {named}"
    if missed:
        named = ", ".join(f"{f} ({_percent(c.noticed)} noticed)" for f, c in missed.items())
        yield f"overlooks {named}"
    if faint:
        named = ", ".join(f"{f} ({_percent(c.strength)})" for f, c in faint.items())
        yield f"notices but forgives {named}"


def _fooled(reading: Reading) -> Iterator[str]:
    shares = {n: s for n, s in reading.fakes.items() if s.low > _OFTEN and n in _FAKES}
    if shares:
        named = ", ".join(f"{_FAKES[name]} ({_percent(one)})" for name, one in shares.items())
        yield f"is fooled by {named}, which it scores no lower than half the translation"


_FAKES = {
    COPIED: "a copy of the source",
    EMPTY: "an empty text",
    HUB: "the most typical sentence of the corpus",
    ANOTHER: "the translation of another sentence",
}


def is_graded(reading: Reading) -> bool:
    """Whether it tells a translation from another sentence, and half a translation from none."""
    half = all(share.value < _TOO_OFTEN for share in reading.fakes.values())
    return reading.another.noticed.low > _CHANCE and half


def recommendations(atlas: Atlas) -> dict[str, str]:
    """For each family of damage, which metric sees most of it, and which least."""
    found = {family: _recommended(atlas, family) for family in DAMAGES}
    return {family: said for family, said in found.items() if said}


def _recommended(atlas: Atlas, family: str) -> str:
    kinds = atlas.kinds([family])
    cells = {m: r.mean(kinds) for m, r in atlas.readings.items() if is_graded(r)}
    known = {m: c for m, c in cells.items() if np.isfinite(c.noticed.value)}
    if not known:
        return ""
    best, *others = sorted(known, key=lambda m: _worth(known[m]), reverse=True)
    alike = [m for m in others if not _is_more(known[best].noticed, known[m].noticed)]
    stronger = all(_is_more(known[best].strength, known[m].strength) for m in alike)
    said = f"To detect {_OBJECTS.get(family, family)}, use {best}"
    said += "" if stronger else f" or {_named(alike, 'one of ')}"
    said += f": {best} scores {_percent(known[best].noticed)} of such texts lower"
    said += f"{_worst_of(atlas, best, kinds)}{_cost(known[best])}"
    if alike and stronger:
        said += f". {_named(alike)} {_verb(alike, 'notices', 'notice')} as many, but less strongly"
    last = [m for m in others if m not in alike]
    blind = [m for m in last if known[m].tied.value >= BLIND]
    if blind:
        least = min((known[m].tied for m in blind), key=lambda share: share.value)
        more = " or more" * (len(blind) > 1)
        said += f". {_named(blind)} {_verb(blind, 'is', 'are')} blind to it: "
        said += f"the same score for {_percent(least)}{more}"
    elif last:
        said += f". {last[-1]} notices least: {_percent(known[last[-1]].noticed)}"
        said += _cost(known[last[-1]])
    return f"{said}."


_OBJECTS = {
    ORDER: "damage to the order of words",
    CHARACTERS: "damage to characters",
    CASE: "damage to the case of letters",
    MARKS: "damage to marks and spaces",
    FORMS: "wrong forms of words",
}


def _is_more(one: Aggregate, other: Aggregate) -> bool:
    """Whether the first is certainly larger, on the same sentences."""
    apart = one - other
    return bool(apart.value > 0 and not apart.low <= 0)


def _named(metrics: Sequence[str], of: str = "") -> str:
    """The metrics in a list; of many the number.

    >>> _named(["A"]), _named(["A", "B"]), _named(list("ABCDE"), "one of ")
    ('A', 'A and B', 'one of 5 others')
    """
    if len(metrics) > _MOST_NAMED:
        return f"{of}{len(metrics)} others"
    joint = " or " if of else " and "
    return joint.join(filter(None, (", ".join(metrics[:-1]), *metrics[-1:])))


def _verb(metrics: Sequence[str], one: str, several: str) -> str:
    return one if len(metrics) == 1 else several


def _worth(cell: Noticed) -> tuple[float, float]:
    """What is noticed more often first; of equals, what is punished harder."""
    strength = cell.strength.value if np.isfinite(cell.strength.value) else 0.0
    return round(cell.noticed.value, 2), strength


def _cost(cell: Noticed) -> str:
    """How far, in words that need no unit."""
    if not np.isfinite(cell.strength.value):
        return ""
    return f", by {_percent(cell.strength)} of its drop for a wrong sentence"


def _worst_of(atlas: Atlas, metric: str, kinds: list[str]) -> str:
    """The kind of the family that it notices least, where that is much less."""
    cells = atlas.readings[metric].cells
    shares = {name: cells[name].noticed for name in kinds if name in cells}
    worst = min(shares, key=lambda name: shares[name].value, default="")
    mean = np.mean([share.value for share in shares.values()]) if shares else 0
    if not worst or shares[worst].value > mean - 0.1:
        return ""
    return f" (of {worst} {_percent(shares[worst])})"
