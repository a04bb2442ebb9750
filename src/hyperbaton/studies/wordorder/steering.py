"""Steerability: how much a system obeys when it is told to repair, or to carry the order over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from hyperbaton.report.contents import Table
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.experiment import ALL, Score
from hyperbaton.studies.layer.means import Means
from hyperbaton.studies.layer.sources import MODE
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.wordorder.outcomes import PROJECTED

__all__ = ["STEERABILITY", "steerability_scores", "steerability_tables", "steered"]

STEERABILITY: Mapping[str, tuple[str, str, str]] = {
    "steerability": ("beta1", "robust", "faithful"),
    "steerability_projected": (PROJECTED, "faithful", "robust"),
}
"""Each number: the score, the mode in which it should be high, and the one it is taken from."""
_LABELS = {
    "steerability": "β1 robust − faithful",
    "steerability_projected": "β2 projected faithful − robust",
}


def _apart(means: Means, name: str, modes: Mapping[str, str], pairs: Sequence[str]) -> Aggregate:
    score, high, low = STEERABILITY[name]
    return means.difference(score, {"system": modes[high]}, {"system": modes[low]}, pair=pairs)


def steered(systems: Sequence[str]) -> dict[str, dict[str, str]]:
    """Systems that differ in their mode alone and have both robust and faithful: label by mode.

    >>> steered(["bundled", "steered", "steered(mode=robust)", "steered(mode=faithful)"])
    {'steered': {'plain': 'steered', 'robust': 'steered(mode=robust)', \
'faithful': 'steered(mode=faithful)'}}
    """
    found: dict[str, dict[str, str]] = {}
    for label in systems:
        mode = MODE.search(label)
        found.setdefault(_unsteered(label), {})[mode[1] if mode else "plain"] = label
    return {name: modes for name, modes in found.items() if {"robust", "faithful"} <= set(modes)}


def _unsteered(label: str) -> str:
    """The label without its mode.

    >>> _unsteered("ct2:a(beam=1, mode=robust, threads=2)"), _unsteered("hf:a(mode=faithful)")
    ('ct2:a(beam=1, threads=2)', 'hf:a')
    """
    left = MODE.sub("", label).replace("(, ", "(").replace(", , ", ", ").replace(", )", ")")
    return left.replace("()", "")


def steerability_tables(summary: Summary) -> list[Table]:
    """How well each system can be steered, per pair; nothing where none was asked in two modes."""
    rows: list[dict[str, object]] = []
    for system, modes in steered(summary.named).items():
        for pair, pairs in _pairs(summary).items():
            row: dict[str, object] = {"system": system, "pair": pair}
            for name, label in _LABELS.items():
                row |= _apart(summary.shared(), name, modes, pairs).spread(label)
            rows.append(row)
    if not rows:
        return []
    note = (
        f"{summary.leading}. The same system told to repair (robust) and to carry the order over "
        "(faithful): how much more its translations follow the clean reference when it is told to "
        "repair, and the projected one when it is told not to. 0: it does not listen. Paired over "
        "items; low and high: 95 % interval."
    )
    return [Table("steerability", "How well a system can be steered", pl.DataFrame(rows), note)]


def steerability_scores(summary: Summary) -> list[Score]:
    """The same as rows, by every metric that gives both scores."""
    needed = {score for score, _, _ in STEERABILITY.values()}
    return [
        Score(system, pair, ALL, metric, name, found.value, found.low, found.high, found.n)
        for metric in summary.metrics
        for means in [summary.shared(metric)]
        if needed <= set(means.scores)
        for system, modes in steered(summary.named).items()
        for pair, pairs in _pairs(summary).items()
        for name in STEERABILITY
        for found in [_apart(means, name, modes, pairs)]
    ]


def _pairs(summary: Summary) -> dict[str, Sequence[str]]:
    several = {ALL: summary.pairs} if len(summary.pairs) > 1 else {}
    return {**several, **{pair: [pair] for pair in summary.pairs}}
