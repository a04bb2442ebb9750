"""The map of the atlas: metrics × kinds of damage, in the order that the reader chooses."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from statistics import median

from hyperbaton.report.charts.vegalite import (
    Spec,
    by_panel,
    channel,
    coloured,
    encoding,
    finished,
    mark,
)
from hyperbaton.report.contents import Figure
from hyperbaton.studies.metrics.noticing import Atlas, Noticed

Row = dict[str, str | float | int | None]
_SHOWN = {
    "noticed": ("F1", "What each metric notices", "share of damaged texts scored lower"),
    "strength": ("F2", "How strongly it reacts", "drop, over that of another sentence"),
    "tied": ("F3", "What it is blind to", "share of damaged texts scored alike"),
}
_AS_IT_IS = "family"
_ALL_NOTICED = 0.99
"""Where half of the cells are above it, the map of how often says little."""
_CELL = 24
"""The width of a cell."""
_NOTE = (
    "A row is a kind of damage, a column a metric; choose what the rows are sorted by beneath "
    "the map. A click on a cell shows its sentences."
)


def figures(atlas: Atlas) -> list[Figure]:
    """How often, how strongly, and how often not at all."""
    rows = [
        _row(metric, variant, atlas.families[variant], cell)
        for metric, reading in atlas.readings.items()
        for variant, cell in reading.cells.items()
    ]
    shares = [float(row["noticed"] or 0) for row in rows]
    # Where nearly everything is noticed, as on references, how strongly says more.
    first = "strength" if shares and median(shares) > _ALL_NOTICED else "noticed"
    return [
        Figure(number, title, _map(rows, name, label, atlas), _NOTE)
        for name, (number, title, label) in sorted(_SHOWN.items(), key=lambda one: one[0] != first)
        if any(row[name] is not None for row in rows)
    ]


def _row(metric: str, variant: str, family: str, cell: Noticed) -> Row:
    row: Row = {"metric": metric, "damage": variant, "family": family, "N": cell.noticed.n}
    for name in _SHOWN:
        value, low, high = getattr(cell, name).span
        known = isfinite(value)
        row |= {name: round(value, 4) if known else None}
        row |= {f"{name} interval": f"{low:.3f} to {high:.3f}" if known else "none"}
    return row


def _map(rows: list[Row], name: str, label: str, atlas: Atlas) -> Spec:
    """Cells coloured by a number; the rows as they come, or sorted by a metric."""
    metrics, kinds = list(atlas.readings), list(atlas.families)
    orders: Mapping[str, int] = {kind: place for place, kind in enumerate(kinds)}
    placed = [{**row, "place": -orders[str(row["damage"])]} for row in rows]
    choice = {
        "input": "select",
        "options": [_AS_IT_IS, *metrics],
        "name": "Sort the rows by ",
    }
    key = (
        f"sorted_{name} == '{_AS_IT_IS}' ? datum.place : "
        f"datum.metric == sorted_{name} && isValid(datum.{name}) ? datum.{name} : -9999"
    )
    # The names stand above: the map may be longer than the screen.
    above = {"labelAlign": "left", "labelAngle": -60, "orient": "top"}
    shown = encoding(
        [
            "metric:N",
            "damage:N",
            "family:N",
            "N:Q",
            *(
                tip
                for each in _SHOWN
                for tip in (channel(f"{each}:Q", format=".3f"), f"{each} interval:N")
            ),
        ],
        x=by_panel("metric:N", metrics, axis=above),
        y=channel(
            "damage:N", title=None, sort={"field": "key", "op": "max", "order": "descending"}
        ),
        color=coloured(f"{name}:Q", title=label),
    )
    parts: Spec = {
        "mark": mark("rect"),
        "encoding": shown,
        "height": 0.7 * _CELL * len(kinds),
        "params": [{"name": f"sorted_{name}", "bind": choice, "value": _AS_IT_IS}],
        "transform": [{"calculate": key, "as": "key"}],
        "width": _CELL * len(metrics),
    }
    return finished(placed, parts)
