"""The atlas that is shipped: what metrics noticed of damage on DEMETR and on Tatoeba's references.

A study that varies texts asks it whether a metric can see such a change at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.base.wording import counted, percent_text
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import PERTURBATIONS
from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Span
from hyperbaton.studies.layer.aggregate import FEWEST
from hyperbaton.studies.layer.experiment import Experiment

FOLDER = DATA / "atlas"
"""Written by benchmarks/atlas.py."""
ON_REFERENCES = ("tatoeba-strings", "tatoeba-models")
YARDSTICK = "BLEU"
"""The metric that tells how much a change of a text could be noticed."""
_VISIBLE, _HARDLY = 0.3, 1 / 3
"""A change is large where the yardstick takes off this share of what a wrong sentence costs; a
metric hardly notices it that takes off less than a third of that."""
_NAMED = 2
BLIND = 0.5
"""The share of damage that a metric ties on where it is called blind to it."""


class Known(NamedTuple):
    """What a metric made of a kind of damage."""

    n: int
    noticed: Span
    tied: Span
    strength: Span | None
    """None where a wrong sentence costs it nothing, or where there is no interval."""


@cache
def known() -> Mapping[str, Mapping[str, Known]]:
    """For each kind and each family of damage to references, what each metric made of it."""
    found: dict[str, dict[str, Known]] = {}
    for name in ON_REFERENCES:
        path = FOLDER / f"{name}.json"
        record = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        for cells in (record.get("groups", {}), record.get("damage", {})):
            for damage, metrics in cells.items():
                for metric, (n, noticed, tied, strength) in metrics.items():
                    sure = None if None in strength else tuple(strength)
                    cell = Known(n, tuple(noticed), tuple(tied), sure)
                    # What was asked of many texts comes first.
                    found.setdefault(damage, {}).setdefault(metric, cell)
    return found


def blind_spots(study: Experiment, runs: Sequence[Run]) -> list[str]:
    """A warning for each metric that hardly notices most of what the runs of a study vary."""
    metrics = dict.fromkeys(name for run in runs for name in run.metrics)
    told = (_warning(metric, study.varies) for metric in metrics if study.varies)
    return [one for one in told if one]


def _warning(metric: str, varied: Sequence[str]) -> str:
    seen = dict.fromkeys(kind for name in varied for kind in _kinds(name, _name(metric)))
    hardly = [said for kind in seen if (said := _hardly(kind, _name(metric)))]
    if not hardly or 2 * len(hardly) < len(seen):
        return ""
    more = [f"and {len(hardly) - _NAMED} more"] if len(hardly) > _NAMED else []
    return (
        f"{metric} hardly notices {len(hardly)} of {counted(len(seen), 'kind')} of change made "
        f"here: {'; '.join([*hardly[:_NAMED], *more])}. docs/metrics-atlas.md says which metric "
        "does."
    )


def _kinds(damage: str, metric: str) -> Iterator[str]:
    """A perturbation where the metric saw enough of it, or else its family."""
    from hyperbaton.studies.metrics.kinds import family_of

    names = [damage]
    with suppress(HyperbatonError):
        names.append(family_of(PERTURBATIONS.parse(damage)))
    asked = (name for name in names if metric in known().get(name, {}))
    yield from islice((name for name in asked if known()[name][metric].n >= FEWEST), 1)


def _hardly(damage: str, metric: str) -> str:
    """What the metric makes of a kind of damage or a family, if it hardly notices it."""
    cell, usual = known()[damage][metric], known()[damage][YARDSTICK].strength
    if cell.tied[0] >= BLIND:
        return f"{damage} leaves the score of {percent_text(*cell.tied)} of texts as it is"
    if not (usual and cell.strength) or usual[1] < _VISIBLE:
        return ""
    if cell.strength[2] >= _HARDLY * usual[1]:
        return ""
    cost, more = percent_text(*cell.strength), percent_text(*usual)
    return f"{damage} costs {cost} of what a wrong sentence does (under {YARDSTICK} {more})"


@cache
def _name(metric: str) -> str:
    """A metric as it prints; one that is not there any more is no metric of the atlas."""
    try:
        return str(METRICS.parse(metric))
    except HyperbatonError:
        return metric
