"""The numbers of the structure study: by perturbation, encoder, task, script, family, language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.report.contents import Table
from hyperbaton.studies.layer.experiment import ALL, Score
from hyperbaton.studies.registry import STUDIES
from hyperbaton.studies.structure.series import (
    FEWEST,
    Series,
    explained,
    grouped,
    mean,
    mean_score,
    read_series,
)
from hyperbaton.studies.structure.varying import MEASURES
from hyperbaton.tasks import Task

if TYPE_CHECKING:
    from hyperbaton.studies.structure.study import Structure

SHOWN = ("chrF-2", "Comp", "IDC")
"""The measures in the order shown: the paper's best first."""
_FAMILIES = (
    "Italic,Germanic,Sino-Tibetan,Balto-Slavic,Turkic,Afro-Asiatic,Austroasiatic,Kra-Dai,"
    "Indo-Iranian,Niger-Congo,Uralic,Austronesian,Dravidian,Constructed,Celtic"
)
_CHRF = (0.96, 0.96, 0.84, 0.96, 0.94, 0.94, 0.95, 0.93, 0.94, 0.92, 0.94, 0.93, 0.93, 0.93, 0.90)
_COMP = (0.82, 0.84, 0.52, 0.89, 0.88, 0.77, 0.85, 0.94, 0.88, 0.82, 0.89, 0.91, 0.93, 0.86, 0.85)
_IDC = (0.48, 0.46, 0.74, 0.43, 0.44, 0.47, 0.44, 0.44, 0.42, 0.48, 0.43, 0.43, 0.35, 0.40, 0.39)
PUBLISHED = dict(zip(_FAMILIES.split(","), zip(_CHRF, _COMP, _IDC, strict=True), strict=True))
"""Figure 6 of the paper: Spearman's ρ of chrF-2, Comp and IDC by language family."""
_NOTE = (
    "Spearman's ρ over perturbations, in each language, then averaged; signed so that higher = "
    "explains the loss better. low and high: 95 % interval of the ρ that as many examples give; "
    "with few examples noise lowers ρ, so compare runs of equally many."
)


def unit_of(variant: str) -> str:
    """What a perturbation moves."""
    return "clean" if variant == IDENTITY else "subword" if "unit=subword" in variant else "char"


def groups(series: Sequence[Series]) -> dict[str, Mapping[str, list[Series]]]:
    """The series of each matrix: by encoder (F3), task (F4), script (F5) and family (F6)."""
    scripts = grouped(series, lambda one: one.group.script)
    families = grouped(series, lambda one: one.group.family)
    found = {
        "F3": {"all languages": list(series)},
        "F4": grouped(series, lambda one: one.task),
        "F5": {name: some for name, some in sorted(scripts.items()) if _languages(some) >= FEWEST},
        "F6": {
            name: families[name]
            for name in (*PUBLISHED, *sorted(families.keys() - PUBLISHED.keys()))
            if name in families and _languages(families[name]) >= FEWEST
        },
    }
    if len(found["F4"]) < 2:
        del found["F4"]
    return {name: some for name, some in found.items() if some}


def _languages(series: Sequence[Series]) -> int:
    return len({one.language for one in series})


TITLES = {
    "F3": ("encoder", "What explains the loss, by encoder"),
    "F4": ("task", "What explains the loss, by task"),
    "F5": ("script", f"What explains the loss, by script ({FEWEST} languages or more)"),
    "F6": ("family", f"What explains the loss, by language family ({FEWEST} languages or more)"),
}


def matrices(series: Sequence[Series]) -> Iterator[Table]:
    """Measure × encoder, task, script and family."""
    for number, found in groups(series).items():
        name, title = TITLES[number]
        rows = []
        for group, some in found.items():
            for system, mine in grouped(some, lambda one: one.system).items():
                row: dict[str, object] = {} if number == "F3" else {name: group}
                row |= {"encoder": system, "languages": _languages(mine)}
                for measure in SHOWN:
                    row |= explained(mine, measure).spread(measure)
                if number == "F6":
                    published = PUBLISHED.get(group, (None, None, None))
                    row |= {f"{m}, paper": v for m, v in zip(SHOWN, published, strict=True)}
                rows.append(row)
        yield Table(number, title, pl.DataFrame(rows, infer_schema_length=None), _NOTE)


def tables(series: Sequence[Series]) -> list[Table]:
    """The matrices, every perturbation, and every language."""
    note = "Means over languages; chrF-2, Comp and IDC are those of the perturbed texts."
    return [
        *matrices(series),
        Table("T1", "Score by perturbation", pl.DataFrame(list(_settings(series))), note),
        Table("T2", "Score and correlations by language", pl.DataFrame(list(_each(series)))),
    ]


def _settings(series: Sequence[Series]) -> Iterator[dict[str, object]]:
    for (task, system), mine in _by_task(series).items():
        for place, variant in enumerate(mine[0].variants):
            same = [one for one in mine if one.variants == mine[0].variants]
            measures = np.mean([one.measures[place] for one in same], axis=0)
            found = mean_score(same, _at(place), mine[0].method)
            yield {
                "task": task,
                "encoder": system,
                "perturbation": variant,
                "unit": unit_of(variant),
                **found.spread(mine[0].score),
                **_beside(same, place),
                **{name: float(measures[MEASURES.index(name)]) for name in SHOWN},
            }


def _beside(same: Sequence[Series], place: int) -> dict[str, float]:
    """Accuracy, where the score is another that is told with it."""
    some = [one.accuracy for one in same if one.accuracy is not None]
    return {"accuracy": mean_score(some, _at(place), "wilson").value} if some else {}


def _by_task(series: Sequence[Series]) -> dict[tuple[str, str], list[Series]]:
    found: dict[tuple[str, str], list[Series]] = {}
    for one in series:
        found.setdefault((one.task, one.system), []).append(one)
    return found


def _at(place: int) -> Callable[[Series], tuple[float, np.ndarray]]:
    return lambda one: (float(one.values[place]), one.drawn[:, place])


def _each(series: Sequence[Series]) -> Iterator[dict[str, object]]:
    for one in series:
        row: dict[str, object] = {"task": one.task, "encoder": one.system}
        row |= {"language": one.language, **one.group._asdict(), "examples": len(one.samples)}
        for name, variant in (("clean", IDENTITY), ("full shuffle", "FullShuffle")):
            known = variant in one.variants
            row[name] = float(one.values[one.variants.index(variant)]) if known else None
        values, _ = one.explained
        yield row | {name: float(values[MEASURES.index(name)]) for name in SHOWN}


def task_of(run: Run) -> Task:
    """The task of a run of this study."""
    return study_of(run).chosen_task


def study_of(run: Run) -> Structure:
    """The study of a run, with its options."""
    from hyperbaton.studies.structure.study import Structure

    study = STUDIES.parse(run.record.study)
    if not isinstance(study, Structure):
        raise HyperbatonError(f"{run.folder} is no run of the structure study")
    return study


def scores(runs: Sequence[Run]) -> list[Score]:
    """The score of each encoder, language and perturbation, and what explains its loss."""
    return [score for one in read_series(runs, task_of) for score in _scores(one)]


def _scores(one: Series) -> Iterator[Score]:
    def score(variant: str, name: str, found: tuple[float, np.ndarray]) -> Score:
        scored = name == one.score
        of = mean_score if scored else mean
        span = of([one], lambda _: found, one.method if scored else "fisher")
        extra = {"language": one.language, "task": one.task}
        n = len(one.samples)
        return Score.of((one.system, one.pair, variant, one.task, name), span, n, extra)

    perturbed = [place for place, name in enumerate(one.variants) if name != IDENTITY]
    if perturbed:
        drawn = one.drawn[:, perturbed].mean(axis=1)
        yield score(ALL, one.score, (float(one.values[perturbed].mean()), drawn))
    for place, variant in enumerate(one.variants):
        yield score(variant, one.score, _at(place)(one))
    if one.accuracy is not None:
        yield from (found for found in _scores(one.accuracy) if found.name == "accuracy")
    values, drawn = one.explained
    for name in SHOWN:
        place = MEASURES.index(name)
        if np.isfinite(values[place]):
            yield score(ALL, name, (float(values[place]), drawn[:, place]))
