"""Every study by name, a study made of given options, and the report on finished runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.given import names_in, plain, told
from hyperbaton.base.options import Option, options_of
from hyperbaton.base.remote_paths import place
from hyperbaton.base.spec import Parsed, Registry, Spec, Value
from hyperbaton.pipeline import Run
from hyperbaton.studies import SHIPPED_STUDIES
from hyperbaton.studies.layer.experiment import Experiment

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents

STUDIES: Registry[Experiment] = Registry(
    "study", {name: place for name, (place, _) in SHIPPED_STUDIES.items()}, plural="studies"
)
"""Every study by name; run.json holds a study as it prints, so that its report can be drawn."""


def make_study(name: str, given: Mapping[str, object], where: str = "") -> Experiment:
    """The study of a name with these options; `where` begins the message on a wrong one."""
    known = {option.name: option for option in options_of(STUDIES.get(name))}
    values: dict[str, Value] = {}
    head = f"{where}: " if where else ""
    for key, value in given.items():
        if key not in known:
            raise HyperbatonError(
                f"{head}{name} has no option '{key}' (it has: {', '.join(known) or 'none'})."
                f"{did_you_mean(key, known)}"
            )
        values[key] = _value(known[key], value, f"{head}{key}")
    return STUDIES.build(Parsed(name, None, values), where or name)


def _value(option: Option, value: object, what: str) -> Value:
    """A value as the registry reads it; several are joined where the option may be repeated."""
    value = plain(value)
    if option.repeat and value is not None:
        return "; ".join(names_in(value, what))
    if isinstance(value, Spec):
        return str(value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise HyperbatonError(f"{what} must be a single value, not {told(value)}")


def load_contents(folders: Sequence[Path]) -> Contents:
    """The report on finished runs; a study compares its own, several studies follow one another."""
    if not folders:
        raise HyperbatonError("no run was given: name the folder that --out wrote")
    return contents_of(list(map(Run, map(place, folders))))


def contents_of(runs: Sequence[Run], brief: bool = False, claims: Sequence[str] = ()) -> Contents:
    """The report on runs that are open; a `brief` one has what a command prints, and no more.

    Of the claims of the papers those that are named are asked, or all.
    """
    from hyperbaton.studies.layer.claims import with_claims

    reports = {}
    for name, (study, its_runs) in by_study(runs).items():
        contents = study.brief(its_runs) if brief else study.contents(its_runs)
        reports[name] = with_claims(name, with_cautions(contents, study, its_runs), claims)
    if len(reports) == 1:
        return next(iter(reports.values()))
    from hyperbaton.report.runs import side_by_side

    return side_by_side(reports)


def with_cautions(contents: Contents, study: Experiment, runs: Sequence[Run]) -> Contents:
    """A report with all that a reader must know before any number."""
    from hyperbaton.studies.layer.answers import cautions
    from hyperbaton.studies.layer.own_noise import recorded_cautions
    from hyperbaton.studies.metrics.stored import blind_spots

    told = [*cautions(runs), *recorded_cautions(runs), *contents.cautions]
    return replace(contents, cautions=[*told, *blind_spots(study, runs)])


def by_study(runs: Sequence[Run]) -> dict[str, tuple[Experiment, list[Run]]]:
    """Each study with its runs, in the order in which they come."""
    groups: dict[str, tuple[Experiment, list[Run]]] = {}
    for run in runs:
        study = STUDIES.parse(run.record.study)
        groups.setdefault(study.name, (study, []))[1].append(run)
    return groups
