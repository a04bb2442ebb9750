"""Charts in panels: contour lines, stacked bars, points against a diagonal, boxes.

Each takes its numbers by panel, and the panels stand in the order in which they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from hyperbaton.report.charts.charts import data_of

if TYPE_CHECKING:
    import altair as alt

    from hyperbaton.report.charts.charts import Chart

__all__ = [
    "MASSES",
    "boxes",
    "contour_lines",
    "contours",
    "density",
    "diagonal_points",
    "levels",
    "stacked_bars",
]


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


MASSES = (0.25, 0.5, 0.75, 0.9)
"""The shares of all points that the contour lines enclose."""
FloatArray = NDArray[np.float64]


def density(x: FloatArray, y: FloatArray, grid: int = 48, bandwidth: float = 0.03) -> FloatArray:
    """A smoothed histogram, rows over y; mass that would leave the square is reflected back."""
    counts, _, _ = np.histogram2d(y, x, bins=grid, range=[[0, 1], [0, 1]])
    smooth = gaussian_filter(counts, bandwidth * grid, mode="reflect")
    return np.asarray(smooth / smooth.sum())


def levels(values: FloatArray, masses: Sequence[float] = MASSES) -> list[float]:
    """The density on the edge of the smallest region that holds each share of the mass."""
    ordered = np.sort(values.ravel())[::-1]
    reached = np.cumsum(ordered)
    return [
        float(ordered[min(int(np.searchsorted(reached, mass)), len(ordered) - 1)])
        for mass in masses
    ]


def contours(values: FloatArray, level: float) -> list[tuple[float, float, float, float]]:
    """Line segments (x1, y1, x2, y2) along which the density has this level.

    >>> hill = np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]])
    >>> len(contours(hill, 0.5))
    4
    """
    # Cell centres are the grid; a rim of nothing closes lines that would end at the edge.
    size = len(values)
    padded = np.pad(values, 1, constant_values=-1.0)
    places = np.concatenate([[0.0], (np.arange(size) + 0.5) / size, [1.0]])
    segments = []
    for row in range(size + 1):
        for column in range(size + 1):
            corners = (
                (places[column], places[row], padded[row, column]),
                (places[column + 1], places[row], padded[row, column + 1]),
                (places[column + 1], places[row + 1], padded[row + 1, column + 1]),
                (places[column], places[row + 1], padded[row + 1, column]),
            )
            segments += _cell(corners, level)
    return segments


Corner = tuple[float, float, float]


def _cell(corners: Sequence[Corner], level: float) -> list[tuple[float, float, float, float]]:
    inside = [value >= level for _, _, value in corners]
    if all(inside) or not any(inside):
        return []
    crossings = [
        _crossing(corners[i], corners[(i + 1) % 4], level)
        for i in range(4)
        if inside[i] != inside[(i + 1) % 4]
    ]
    # In a saddle the lines cut off the corners that are inside.
    if len(crossings) == 4 and not inside[0]:
        crossings = [*crossings[1:], crossings[0]]
    if len(crossings) == 4:
        crossings = [crossings[3], *crossings[:3]]
    pairs = zip(crossings[::2], crossings[1::2], strict=True)
    return [(*one, *two) for one, two in pairs]


def _crossing(a: Corner, b: Corner, level: float) -> tuple[float, float]:
    # Against the rim the line runs along the edge of the square.
    share = (level - a[2]) / (b[2] - a[2])
    if a[2] < 0:
        share = 0.0
    elif b[2] < 0:
        share = 1.0
    return round(a[0] + share * (b[0] - a[0]), 4), round(a[1] + share * (b[1] - a[1]), 4)
