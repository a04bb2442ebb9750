"""The map of the atlas: metrics × kinds of damage, in the order that the reader chooses."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from statistics import median
from typing import TYPE_CHECKING

from hyperbaton.report.charts.charts import data_of
from hyperbaton.report.contents import Figure
from hyperbaton.studies.metrics.noticing import Atlas, Noticed

if TYPE_CHECKING:
    import altair as alt

Row = dict[str, str | float | int | None]
_SHOWN = {
    "noticed": ("F1", "What each metric notices", "share of damaged texts scored lower"),
    "strength": ("F2", "How strongly it reacts", "drop, over that of another sentence"),
    "tied": ("F3", "What it is blind to", "share of damaged texts scored alike"),
}
_AS_IT_IS = "family"
_ALL_NOTICED = 0.99
"""Where half of the cells are above it, the map of how often says little."""
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


def _map(rows: list[Row], name: str, label: str, atlas: Atlas, cell: int = 24) -> alt.TopLevelMixin:
    """Cells coloured by a number; the rows as they come, or sorted by a metric."""
    import altair as alt

    metrics, kinds = list(atlas.readings), list(atlas.families)
    orders: Mapping[str, int] = {kind: place for place, kind in enumerate(kinds)}
    placed = [{**row, "place": -orders[str(row["damage"])]} for row in rows]
    chosen = alt.param(
        name=f"sorted_{name}",
        value=_AS_IT_IS,
        bind=alt.binding_select(options=[_AS_IT_IS, *metrics], name="Sort the rows by "),
    )
    key = (
        f"sorted_{name} == '{_AS_IT_IS}' ? datum.place : "
        f"datum.metric == sorted_{name} && isValid(datum.{name}) ? datum.{name} : -9999"
    )
    chart: alt.Chart = (
        alt.Chart(data_of(placed), width=cell * len(metrics), height=0.7 * cell * len(kinds))
        .transform_calculate(key=key)
        .mark_rect()
        .encode(
            # The names stand above: the map may be longer than the screen.
            x=alt.X(
                "metric:N",
                title=None,
                sort=metrics,
                axis=alt.Axis(orient="top", labelAngle=-60, labelAlign="left"),
            ),
            y=alt.Y(
                "damage:N",
                title=None,
                sort=alt.EncodingSortField("key", op="max", order="descending"),
            ),
            color=alt.Color(f"{name}:Q", title=label, legend=alt.Legend(orient="top")),
            tooltip=[
                "metric:N",
                "damage:N",
                "family:N",
                "N:Q",
                *(
                    tip
                    for each in _SHOWN
                    for tip in (alt.Tooltip(f"{each}:Q", format=".3f"), f"{each} interval:N")
                ),
            ],
        )
        .add_params(chosen)
    )
    return chart
