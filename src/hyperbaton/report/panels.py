"""Charts in panels: contour lines, stacked bars, points against a diagonal, boxes.

Each takes its numbers by panel, and the panels stand in the order in which they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hyperbaton.report.charts.charts import data_of
from hyperbaton.report.contours import MASSES, contours, density, levels

if TYPE_CHECKING:
    import altair as alt

    from hyperbaton.report.charts.charts import Chart

__all__ = ["boxes", "contour_lines", "diagonal_points", "stacked_bars"]

Floats = NDArray[np.float64]
_Row = dict[str, str | float]


def _faceted(
    chart: alt.Chart | alt.LayerChart | alt.FacetChart, panels: Iterable[str], columns: int
) -> Chart:
    import altair as alt

    facet = alt.Facet("panel:N", title=None, sort=list(dict.fromkeys(panels)))
    found: alt.FacetChart = chart.facet(facet=facet, columns=columns)
    return found


def contour_lines(
    points: Mapping[tuple[str, str], Floats], titles: tuple[str, str], name: str
) -> Chart:
    """Where the points of each (panel, column) lie on the unit square, as highest-density lines.

    `name` is that of the columns.
    """
    import altair as alt

    rows: list[_Row] = []
    for (panel, value), places in points.items():
        found = density(places[:, 0], places[:, 1])
        for mass, level in zip(MASSES, levels(found), strict=True):
            for x1, y1, x2, y2 in contours(found, level):
                row: _Row = {"x": x1, "y": y1, "x2": x2, "y2": y2, "mass": f"{mass:.0%}"}
                rows.append({**row, name: value, "panel": panel})
    scale = alt.Scale(domain=[0, 1])
    masses = [f"{mass:.0%}" for mass in reversed(MASSES)]
    lines = (
        alt.Chart(data_of(rows), width=170, height=170)
        .mark_rule(strokeWidth=1.5, strokeCap="round")
        .encode(
            x=alt.X("x:Q", title=titles[0], scale=scale),
            y=alt.Y("y:Q", title=titles[1], scale=scale),
            x2="x2:Q",
            y2="y2:Q",
            color=alt.Color("mass:O", title="encloses", sort=masses),
        )
    )
    panels, columns = (list(dict.fromkeys(names)) for names in zip(*points, strict=True))
    grid: alt.FacetChart = lines.facet(
        row=alt.Row("panel:N", title=None, sort=panels),
        column=alt.Column(f"{name}:N", title=None, sort=columns),
    )
    return grid


def stacked_bars(
    counts: Mapping[tuple[str, str, str], int], names: tuple[str, str, str], title: str
) -> Chart:
    """Shares of each panel, stacked by a column; counts are by panel, stacked column, place.

    `names` are those of the stacked column, the places and the counts.
    """
    import altair as alt

    name, across, counted = names
    panels, kinds, places = (list(dict.fromkeys(part)) for part in zip(*counts, strict=True))
    totals = {p: sum(n for (panel, _, _), n in counts.items() if panel == p) for p in panels}
    rows: list[_Row] = [
        {
            "panel": panel,
            name: kind,
            across: place,
            counted: count,
            "share": count / totals[panel],
            "rank": kinds.index(kind),
        }
        for (panel, kind, place), count in counts.items()
        if count
    ]
    legend = alt.Legend(labelLimit=400)
    share = alt.Tooltip("share:Q", format=".3f")
    bars = (
        alt.Chart(data_of(rows), width=190, height=200)
        .mark_bar()
        .encode(
            x=alt.X(f"{across}:N", sort=places, title=None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("share:Q", title=title, stack="zero"),
            color=alt.Color(f"{name}:N", sort=kinds, title=name, legend=legend),
            order=alt.Order("rank:Q"),
            tooltip=["panel:N", f"{across}:N", f"{name}:N", f"{counted}:Q", share],
        )
    )
    return _faceted(bars, panels, 3)


def diagonal_points(
    points: Mapping[str, tuple[Floats, Sequence[str]]],
    titles: tuple[str, str],
    colour: tuple[str, Sequence[str]],
) -> Chart:
    """Points on the unit square with its diagonal; each panel has its points and their kinds."""
    import altair as alt

    name, kinds = colour
    rows: list[_Row] = [
        {"panel": panel, "before": round(x, 4), "after": round(y, 4), name: kind}
        for panel, (places, of) in points.items()
        for (x, y), kind in zip(places.tolist(), of, strict=True)
    ]
    scale = alt.Scale(domain=[0, 1])
    marks = (
        alt.Chart()
        .mark_circle(size=14, opacity=1, fillOpacity=0.45)
        .encode(
            x=alt.X("before:Q", title=titles[0], scale=scale),
            y=alt.Y("after:Q", title=titles[1], scale=scale),
            color=alt.Color(f"{name}:N", sort=list(kinds)),
        )
    )
    # The diagonal carries datums, not rows, so that every panel of the facet has it.
    diagonal = (
        alt.Chart()
        .mark_rule(strokeDash=[4, 3], aria=False)
        .encode(x=alt.datum(0), y=alt.datum(0), x2=alt.datum(1), y2=alt.datum(1))
    )
    both = alt.layer(diagonal, marks, data=data_of(rows)).properties(width=230, height=230)
    return _faceted(both, points, 3)


def boxes(
    samples: Mapping[tuple[str, str, str], Floats], names: tuple[str, str], title: str
) -> Chart:
    """The middle half as a box with its median, a line from 5 to 95 %.

    `samples` holds the values by panel, place and colour; `names` are those of the last two.
    """
    import altair as alt

    name, colour = names
    rows: list[_Row] = []
    for (panel, place, kind), sample in samples.items():
        sample = sample[np.isfinite(sample)]
        if len(sample):
            low, q1, q2, q3, high = np.quantile(sample, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist()
            row: _Row = {"panel": panel, name: place, colour: kind, "n": len(sample)}
            rows.append({**row, "low": low, "q1": q1, "median": q2, "q3": q3, "high": high})
    panels, places, _ = (list(dict.fromkeys(part)) for part in zip(*samples, strict=True))
    tooltip = ["panel:N", f"{name}:N", f"{colour}:N", "n:Q"]
    base = alt.Chart().encode(
        x=alt.X(f"{name}:N", title=None, sort=places, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset(f"{colour}:N"),
        tooltip=[*tooltip, alt.Tooltip("median:Q", format=".3f")],
    )
    scale = alt.Scale(domain=[0, 1])
    layers = (
        base.mark_rule().encode(y=alt.Y("low:Q", title=title, scale=scale), y2="high:Q"),
        base.mark_bar(size=18).encode(
            y=alt.Y("q1:Q", scale=scale), y2="q3:Q", color=alt.Color(f"{colour}:N", title=colour)
        ),
        base.mark_tick(thickness=2, size=18, color="white").encode(
            y=alt.Y("median:Q", scale=scale)
        ),
    )
    both = alt.layer(*layers, data=data_of(rows)).properties(width=170, height=200)
    return _faceted(both, panels, 4)
