"""What decides each claim of the structure paper: encoders in languages, which are what counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from hyperbaton.base.wording import decimal
from hyperbaton.pipeline import IDENTITY
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, gap
from hyperbaton.studies.layer.evidence import Evidence, Test
from hyperbaton.studies.structure.languages import CHINESE, LATIN
from hyperbaton.studies.structure.series import FEWEST, Series, explained, grouped, mean
from hyperbaton.studies.structure.varying import MEASURES
from hyperbaton.tasks import TASKS, Retrieval

FULL, FLIP, SUBWORD = "FullShuffle", "NeighbourFlip", "unit=subword"
_ORDERED = "pawsx"
"""The task of the paper in which order matters."""
_POOR = 0.7
_FEWEST_SETTINGS = 4
"""Settings that a rank correlation needs."""
Asked = Sequence[Series]


def languages(series: Asked) -> int:
    """The languages behind a number, of each task; however many examples each has."""
    return len({(one.task, one.language) for one in series})


def _counted(found: Aggregate, *groups: Asked) -> Aggregate:
    return found._replace(n=min(map(languages, groups)))


def _each(series: Asked, *measures: str) -> str:
    """The correlations of each encoder."""
    lines = []
    for system, mine in grouped(series, lambda one: one.system).items():
        said = ", ".join(
            f"{name} {decimal(explained(mine, name).value, '.2f')}" for name in measures
        )
        lines.append(f"{system}: {said}")
    return "; ".join(lines)


def _only(series: Asked, chosen: Callable[[str], bool]) -> list[Series]:
    """The same over some of the settings, where there are enough of them."""
    found = []
    for one in series:
        places = [i for i, name in enumerate(one.variants) if chosen(name)]
        if len(places) >= _FEWEST_SETTINGS:
            samples = replace(
                one.samples,
                groups=tuple(one.samples.groups[i] for i in places),
                scores={k: table[:, places] for k, table in one.samples.scores.items()},
                weights=None if one.samples.weights is None else one.samples.weights[:, places],
            )
            found.append(replace(one, measures=one.measures[places], samples=samples))
    return found


def _local(series: Asked) -> Evidence:
    apart = _counted(explained(series, "chrF-2", "IDC"), series)
    parts = {
        f"{kind} {name}": _counted(explained(mine, "chrF-2", "IDC"), mine)
        for kind, some in (
            ("task", grouped(series, lambda one: one.task)),
            ("script", grouped(series, lambda one: one.group.script)),
        )
        for name, mine in some.items()
        if len(some) > 1 and languages(mine) >= FEWEST
    }
    detail = _each(series, "chrF-2", "IDC")
    return Evidence("ρ of chrF-2 minus ρ of IDC", {"": apart}, detail, parts=parts)


def _poor(series: Asked) -> Evidence:
    place = MEASURES.index("IDC")

    def of(one: Series) -> tuple[float, Floats]:
        values, drawn = one.explained
        return float(_POOR - values[place]), _POOR - drawn[:, place]

    number = _counted(mean(series, of, "student"), series)
    return Evidence(".7 minus ρ of IDC", {"": number}, _each(series, "IDC"))


def _between(series: Asked) -> Evidence | str:
    own = [one for one in series if one.own_vocabulary]
    subwords = _only(own, lambda name: SUBWORD in name)
    if not own:
        return "needs an encoder with a vocabulary of its own"
    numbers, said = {}, []
    for label, some in (("", own), (", subwords alone", subwords)):
        for one, other in (("chrF-2", "Comp"), ("Comp", "IDC")) if some else ():
            numbers[f"{one} over {other}{label}"] = _counted(explained(some, one, other), some)
        said += [f"{_each(some, 'chrF-2', 'Comp', 'IDC')}{label}"] if some else []
    none = "" if subwords else "; no settings of subwords here"
    return Evidence("ρ of one measure minus ρ of the other", numbers, "; ".join(said) + none)


def _without(series: Asked) -> Evidence | str:
    own = [one for one in series if one.own_vocabulary]
    free = [one for one in series if not one.own_vocabulary]
    both = {one.pair for one in own} & {one.pair for one in free}
    own, free = ([one for one in some if one.pair in both] for some in (own, free))
    if not both:
        return "needs an encoder with a vocabulary and one without, in the same languages"
    less = explained(own, "Comp") - explained(free, "Comp")
    numbers = {
        "Comp with a vocabulary over without": _counted(less, own),
        "chrF-2 over Comp without one": _counted(explained(free, "chrF-2", "Comp"), free),
    }
    return Evidence("ρ of the one minus ρ of the other", numbers, _each(series, "chrF-2", "Comp"))


def _order(series: Asked) -> Evidence | str:
    here = [one for one in series if one.task == _ORDERED]
    others = [one for one in series if one.task != _ORDERED]
    if not (here and others):
        return "needs the task pawsx, and another task"
    one, other = explained(here, "IDC"), explained(others, "IDC")
    numbers = {"IDC in PAWS-X over other tasks": _counted(gap(one, other), here, others)}
    flips = _only(here, lambda name: name.startswith(FLIP))
    if flips:
        apart = _counted(explained(flips, "chrF-2", "IDC"), flips)
        numbers["chrF-2 over IDC, flips alone"] = apart
    said = f"IDC: PAWS-X {decimal(one.value, '.2f')}, others {decimal(other.value, '.2f')}"
    return Evidence("ρ of the one minus ρ of the other", numbers, said)


def _kept(chosen: Callable[[str], bool]) -> Callable[[Series], tuple[float, Floats]]:
    """The share of the clean score that is left under some settings."""

    def of(one: Series) -> tuple[float, Floats]:
        places = [i for i, name in enumerate(one.variants) if chosen(name)]
        if not places:
            return float("nan"), np.full(1, np.nan)
        clean = one.variants.index(IDENTITY)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = one.values[places].mean() / one.values[clean]
            return float(values), np.asarray(
                one.drawn[:, places].mean(axis=1) / one.drawn[:, clean]
            )

    return of


def _comp(one: Series) -> tuple[float, Floats]:
    place = one.variants.index(FULL) if FULL in one.variants else None
    value = np.nan if place is None else 1 - one.measures[place, MEASURES.index("Comp")]
    return float(value), np.full(len(one.drawn), value)


def _script(series: Asked) -> Evidence | str:
    # Where labels are few, what is left of a score is mostly chance.
    some = [one for one in series if issubclass(TASKS.get(one.task), Retrieval)]
    scripts = grouped(some, lambda one: one.group.script)
    if CHINESE not in scripts or LATIN not in scripts:
        return "needs languages of Chinese and of Latin script in a retrieval task"
    here, there = scripts[CHINESE], scripts[LATIN]
    kept = {
        name: (mean(here, _kept(chosen)), mean(there, _kept(chosen)))
        for name, chosen in (
            ("full shuffle", FULL.__eq__),
            ("flips", lambda name: name.startswith(FLIP)),
        )
    }
    leads = {name: gap(*both) for name, both in kept.items() if np.isfinite(both[0].value)}
    numbers = {f"{name}, Chinese minus Latin": one for name, one in leads.items()}
    if len(leads) == 2:
        numbers["lead under flips over full shuffle"] = gap(leads["flips"], leads["full shuffle"])
    # What a tokenizer makes of a text has no chance in it: the languages are drawn.
    own = [one for one in here if one.own_vocabulary]
    if own:
        numbers["1 minus Comp of the full shuffle"] = mean(own, _comp)
    counted = {label: _counted(one, here, there) for label, one in numbers.items()}
    said = "; ".join(
        f"{name}: Chinese script keeps {a.value:.0%}, Latin {b.value:.0%}"
        for name, (a, b) in kept.items()
        if np.isfinite(a.value)
    )
    return Evidence("share of the clean score left", counted, said.replace("%", " %"))


def _families(series: Asked) -> Evidence | str:
    families = grouped(series, lambda one: one.group.family)
    known = {
        name: mine
        for name, mine in families.items()
        if name != "Sino-Tibetan" and languages(mine) >= FEWEST
    }
    if not known:
        return "needs three languages of a family"
    numbers = {
        name: _counted(explained(mine, "chrF-2", "IDC"), mine) for name, mine in known.items()
    }
    return Evidence("ρ of chrF-2 minus ρ of IDC in a family", numbers)


TESTS: Mapping[str, Test[Asked]] = {
    "L1": _local,
    "L2": _poor,
    "L3": _between,
    "L4": _without,
    "L5": _order,
    "L6": _script,
    "L7": _families,
}
