"""The figures of the structure study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hyperbaton.report.charts.charts import clouds, dots
from hyperbaton.report.contents import Figure
from hyperbaton.studies.structure.languages import CHINESE, LATIN
from hyperbaton.studies.structure.series import Series, explained, grouped
from hyperbaton.studies.structure.tables import SHOWN, TITLES, groups, unit_of
from hyperbaton.studies.structure.varying import MEASURES

Row = dict[str, str | float | int | None]


def figures(series: Sequence[Series]) -> list[Figure]:
    """Score against the three measures (F2), and correlations (F3 to F6)."""
    return [*_clouds(series), *_matrices(series)]


def _clouds(series: Sequence[Series]) -> Iterator[Figure]:
    scripts = grouped(series, lambda one: one.group.script)
    some = {"all": list(series), **{n: scripts[n] for n in (LATIN, CHINESE) if n in scripts}}
    tasks = grouped(series, lambda one: one.task)
    some |= {f"task {name}": mine for name, mine in tasks.items() if len(tasks) > 1}
    rows = [
        row
        for name, mine in some.items()
        for system, ours in grouped(mine, lambda one: one.system).items()
        for row in _points(ours, f"{system}, {name}" if len(some) > 1 else system)
    ]
    panels = list(dict.fromkeys(str(row["panel"]) for row in rows))
    yield Figure(
        "F2",
        "Score against what the perturbation left",
        clouds(rows, "score", SHOWN, panels),
        "A point is a perturbation, mean over languages. chrF-2: neighbours left; Comp: "
        "characters a token; IDC: how far characters went.",
    )


def _points(series: Sequence[Series], panel: str) -> Iterator[Row]:
    for place, variant in enumerate(series[0].variants):
        same = [one for one in series if one.variants == series[0].variants]
        score = float(np.mean([one.values[place] for one in same]))
        measures = np.mean([one.measures[place] for one in same], axis=0)
        for name in SHOWN:
            yield {
                "panel": panel,
                "perturbation": variant,
                "unit": unit_of(variant),
                "measure": name,
                "value": round(float(measures[MEASURES.index(name)]), 4),
                "score": round(score, 4),
            }


def _matrices(series: Sequence[Series]) -> Iterator[Figure]:
    systems = list(grouped(series, lambda one: one.system))
    for number, found in groups(series).items():
        rows: list[Row] = []
        for group, some in found.items():
            for system, mine in grouped(some, lambda one: one.system).items():
                for measure in SHOWN:
                    ρ = explained(mine, measure)
                    if np.isfinite(ρ.value):
                        span = {k: round(getattr(ρ, k), 4) for k in ("value", "low", "high")}
                        rows.append({"group": group, "encoder": system, "score": measure, **span})
        note = "Spearman's ρ of score and measure; higher = explains the loss better."
        if rows:
            chart = dots(rows, "group", list(found), "encoder", "ρ", systems, columns=2)
            yield Figure(number, TITLES[number][1], chart, note)
