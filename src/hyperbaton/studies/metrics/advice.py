"""The atlas in words: what a metric is blind to, and which metric to take for what."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hyperbaton.report.contents import Headline
from hyperbaton.report.numbers import percent_text
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.metrics.kinds import DAMAGES
from hyperbaton.studies.metrics.noticing import Atlas, Noticed, Reading

BLIND = 0.5
"""The share of damage that a metric ties on where it is called blind to it."""
FAINT = 0.1
"""The strength beneath which a metric forgives what it notices."""
_CHANCE = 0.5
_OFTEN = 0.05
"""The share of texts from which a metric is said to be fooled."""


def headlines(atlas: Atlas) -> list[Headline]:
    """What each metric is, in a sentence."""
    return [
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
            f"scores the translation of another sentence lower {_of_the_time(another.noticed)}, "
            "which a coin does too: it says nothing of translations"
        )
    parts = [*_seen(atlas, reading), *_fooled(reading)]
    return "; ".join([f"notices {_percent(every.noticed)} of all damage", *parts])


def _of_the_time(share: Aggregate) -> str:
    return f"{_percent(share)} of the time"


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
        named = ", ".join(f"{f} ({_cost(c)})" for f, c in faint.items())
        yield f"notices but forgives {named}"


def _cost(cell: Noticed) -> str:
    return f"{percent_text(*cell.strength.span)} of what another sentence costs"


def _fooled(reading: Reading) -> Iterator[str]:
    for name, share in reading.fakes.items():
        if share.low > _OFTEN and name in _FAKES:
            yield f"scores {_FAKES[name]} no lower than half a translation {_of_the_time(share)}"


_FAKES = {
    "copied": "a copy of the source",
    "empty": "an empty text",
    "hub": "the most typical sentence of the corpus",
    "another": "the translation of another sentence",
}


def is_graded(reading: Reading) -> bool:
    """Whether it tells a translation from another sentence, and half a translation from none."""
    half = all(share.value < _CHANCE for share in reading.fakes.values())
    return reading.another.noticed.low > _CHANCE and half


def recommendations(atlas: Atlas) -> list[str]:
    """For each family of damage, which metrics notice it, and which do not."""
    return [said for family in DAMAGES for said in _recommended(atlas, family)]


def _recommended(atlas: Atlas, family: str) -> Iterator[str]:
    kinds = atlas.kinds([family])
    cells = {m: r.mean(kinds) for m, r in atlas.readings.items() if is_graded(r)}
    known = {m: c for m, c in cells.items() if np.isfinite(c.noticed.value)}
    if not known:
        return
    order = sorted(known, key=lambda m: _worth(known[m]), reverse=True)
    best = order[0]
    said = [f"{best} notices {_percent(known[best].noticed)}{_worst_of(atlas, best, kinds)}"]
    if np.isfinite(known[best].strength.value):
        said[0] += f" and takes off {_cost(known[best])}"
    if len(order) > 1:
        last = order[-1]
        said.append(f"{last} {_noticing(known[last])}")
    blind = [m for m in order[1:-1] if known[m].tied.value >= BLIND]
    if blind:
        said.append(f"{', '.join(blind)} {'is' if len(blind) == 1 else 'are'} blind to it")
    yield (
        f"To see damage to {family}: {'; '.join(said)}."
        if family in _OBJECTS
        else (f"To see {family}: {'; '.join(said)}.")
    )


_OBJECTS = ("order of words", "characters", "case", "marks and spaces", "forms of words")


def _worth(cell: Noticed) -> tuple[float, float]:
    """What is noticed more often first; of equals, what is punished harder."""
    strength = cell.strength.value if np.isfinite(cell.strength.value) else 0.0
    return round(cell.noticed.value, 2), strength


def _noticing(cell: Noticed) -> str:
    if cell.tied.value >= BLIND:
        return f"is blind to it (ties on {_percent(cell.tied)})"
    cost = f" and takes off {_cost(cell)}" if np.isfinite(cell.strength.value) else ""
    return f"notices {_percent(cell.noticed)}{cost}"


def _worst_of(atlas: Atlas, metric: str, kinds: list[str]) -> str:
    """The kind of the family that it notices least, where that is much less."""
    cells = atlas.readings[metric].cells
    shares = {name: cells[name].noticed for name in kinds if name in cells}
    worst = min(shares, key=lambda name: shares[name].value, default="")
    mean = np.mean([share.value for share in shares.values()]) if shares else 0
    if not worst or shares[worst].value > mean - 0.1:
        return ""
    return f" (of {worst} {_percent(shares[worst])})"
