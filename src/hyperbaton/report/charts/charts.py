"""The kinds of chart that figures are drawn as.

Colours come from the page's theme; the rows of a chart are aggregates, so that a page stays small.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hyperbaton.report.charts.vegalite import (
    Channel,
    Rows,
    Spec,
    by_panel,
    channel,
    coloured,
    encoding,
    finished,
    mark,
)

__all__ = [
    "Rows",
    "bars",
    "bubbles",
    "clouds",
    "distributions",
    "dots",
    "heat",
    "lines",
    "overlays",
    "scatter",
]


def distributions(
    rows: Rows,
    title: str,
    sides: tuple[str, str],
    languages: Sequence[str],
    systems: Sequence[str],
    score: str = "",
) -> Spec:
    """Histograms of differences, a row of panels per system and a column per language.

    `sides` are the two values of the column `leans` that have a colour; the others are grey.
    `score` is the column of the sentences that the differences are in.
    """
    shown: dict[str, Channel] = {
        "x": _differences("from:Q", title, bin="binned"),
        "x2": "to",
        "y": _shares(),
    }
    tooltip: list[Channel] = [
        "system:N",
        "language:N",
        channel("from:Q", format=".3f"),
        channel("to:Q", format=".3f"),
        channel("share:Q", format=".1%"),
    ]
    of_sides = f"indexof({json.dumps(sides)}, datum.leans) >= 0"
    leaning = {
        "mark": mark("bar", binSpacing=0),
        "encoding": encoding(tooltip, **shown, color=coloured("leans:N", sort=list(sides))),
        "transform": [{"filter": of_sides}],
    }
    level = {
        "mark": mark("bar", binSpacing=0, style="neutral"),
        "encoding": encoding(tooltip, **shown),
        "transform": [{"filter": f"!({of_sides})"}],
    }
    both = {"layer": [leaning, level], "height": 90, "width": 110}
    by_language = by_panel("language:N", languages)
    about = {"range": {"score": score, "low": "from", "high": "to"}}
    meta = {"usermeta": about} if score else {}
    if len(systems) == 1:  # wrapped, so that a narrow page has them in several rows
        wrapped = {"facet": by_language, "spec": both, "columns": len(languages)}
        return finished(rows, {**wrapped, **meta})
    grid = {"column": by_language, "row": by_panel("system:N", systems)}
    return finished(rows, {"facet": grid, "spec": both, **meta})


def overlays(rows: Rows, title: str, panels: Sequence[str], systems: Sequence[str]) -> Spec:
    """Outlines of distributions of differences, a panel per perturbation, a line per system."""
    several = {} if len(systems) > 1 else {"legend": None}
    shown = encoding(
        [
            "perturbation:N",
            "system:N",
            channel("middle:Q", title=title, format=".2f"),
            channel("share:Q", format=".1%"),
        ],
        x=_differences("middle:Q", title),
        y=_shares(),
        color=coloured("system:N", sort=list(systems), **several),
        facet=by_panel("perturbation:N", panels, columns=4),
    )
    line = mark("line", interpolate="step", strokeWidth=1.5)
    return finished(rows, {"mark": line, "encoding": shown, "height": 80, "width": 150})


def _differences(column: str, title: str, **settings: object) -> Spec:
    """The whole range of a difference of similarities, the same in every report."""
    axis = {"values": [-1, -0.5, 0, 0.5, 1], "format": "~f"}
    return channel(column, title=title, scale={"domain": [-1, 1]}, axis=axis, **settings)


def _shares() -> Spec:
    """Shares of samples; most lie around 0, and under a root the few others can be seen too."""
    axis = {"format": "~%", "grid": False, "values": [0.01, 0.1, 0.3, 0.6, 1]}
    return channel("share:Q", title="share", scale={"type": "sqrt"}, axis=axis)


def heat(
    rows: Rows,
    x: str,
    y: str,
    orders: tuple[Sequence[str], Sequence[str]],
    title: str,
    facet: tuple[str, Sequence[str]],
    columns: int = 2,
    cell: int = 24,
) -> Spec:
    """Grids of cells coloured by `value`, a panel for each value of a further column."""
    (across, down), (name, values) = orders, facet
    shown = encoding(
        [f"{y}:N", f"{x}:N", channel("value:Q", format=".3f")],
        x=by_panel(f"{x}:N", across, axis={"labelAngle": -60}),
        y=by_panel(f"{y}:N", down),
        color=coloured("value:Q", title=title),
    )
    size = {"height": cell * len(down), "width": cell * len(across)}
    grid = {"mark": mark("rect"), "encoding": shown, **size}
    panels = by_panel(f"{name}:N", values)
    return finished(rows, {"facet": panels, "spec": grid, "columns": columns})


def dots(
    rows: Rows,
    y: str,
    order: Sequence[str],
    facet: str,
    title: str,
    facets: Sequence[str],
    columns: int = 4,
    percent: bool = False,
) -> Spec:
    """Values with their intervals: a line per `y`, a colour per `score`, a panel per `facet`."""
    shown = ".0%" if percent else ".3f"
    places: dict[str, Channel] = {
        "y": by_panel(f"{y}:N", order),
        # Two intervals of one line must not cover each other.
        "yOffset": channel("score:N", sort=None),
    }
    tooltip: list[Channel] = [
        f"{facet}:N",
        f"{y}:N",
        "score:N",
        *(channel(f"{name}:Q", format=shown) for name in ("value", "low", "high")),
    ]
    axis = {"axis": {"format": shown}} if percent else {}
    points = encoding(
        tooltip,
        **places,
        x=channel("value:Q", title=title, scale={"zero": False}, **axis),
        color=coloured("score:N", sort=None),
        shape=coloured("score:N", sort=None),
    )
    # Not as `color`: colour and shape become one legend only where they stand alone.
    stroke = channel("score:N", sort=None, legend=None)
    spans = encoding((), **places, x="low:Q", x2="high", stroke=stroke)
    layers = [
        {"mark": mark("rule", strokeWidth=1.5), "encoding": spans},
        {"mark": mark("point", size=30, opacity=1), "encoding": points},
    ]
    both = {"layer": layers, "height": 16 * max(3, len(order)), "width": 150}
    panels = by_panel(f"{facet}:N", facets)
    return finished(rows, {"facet": panels, "spec": both, "columns": columns})


def lines(rows: Rows, facets: Sequence[str], systems: Sequence[str], title: str) -> Spec:
    """Mean scores by relative length, a panel per language, a dash per system."""
    legend = {"orient": "top", "symbolType": "stroke"} if len(systems) > 1 else None
    axis = {"format": "~f", "values": [0, 0.2, 0.4, 0.6, 0.8, 1]}
    shown = encoding(
        ["language:N", "system:N", "score:N", channel("value:Q", format=".3f")],
        x=channel("length:Q", title="relative length", scale={"domain": [0, 1]}, axis=axis),
        y=channel("value:Q", title=title),
        color=coloured("score:N", sort=None),
        strokeDash=by_panel("system:N", systems, legend=legend),
        facet=by_panel("language:N", facets, columns=4),
    )
    line = mark("line", point={"size": 18})
    return finished(rows, {"mark": line, "encoding": shown, "height": 110, "width": 150})


def scatter(rows: Rows, axes: Sequence[tuple[str, str]], labels: Mapping[str, str]) -> Spec:
    """Single samples, two scores against each other in each panel."""
    span = {"domain": [0, 1]}
    panels = [
        {
            # A sixth of `opacity` in a PDF.
            "mark": mark("circle", size=14, opacity=1, fillOpacity=0.45),
            "encoding": encoding(
                ["language:N", "system:N", f"{x}:Q", f"{y}:Q"],
                x=channel(f"{x}:Q", title=labels[x], scale=span),
                y=channel(f"{y}:Q", title=labels[y], scale=span),
                color=coloured("language:N", sort=None),
            ),
            "height": 210,
            "width": 210,
        }
        for x, y in axes
    ]
    return finished(rows, {"hconcat": panels, "usermeta": {"samples": True}})


def bars(rows: Rows, x: str, y: str, facet: str, facets: Sequence[str]) -> Spec:
    """Shares over whole numbers, a panel per group."""
    shown = encoding(
        [f"{facet}:N", f"{x}:Q", channel(f"{y}:Q", format=".1%")],
        x=channel(f"{x}:Q", title=x),
        y=channel(f"{y}:Q", title=y, axis={"format": "~%"}),
        facet=by_panel(f"{facet}:N", facets, columns=4),
    )
    return finished(rows, {"mark": mark("bar"), "encoding": shown, "height": 90, "width": 190})


def bubbles(
    rows: Rows,
    axes: tuple[str, str],
    orders: tuple[Sequence[str], Sequence[str]],
    size: str,
    shade: str,
    facet: str,
) -> Spec:
    """A grid of bubbles: their size is a count, their opacity a share."""
    (x, y), (across, down) = axes, orders
    top = {"orient": "top"}
    shown = encoding(
        [f"{x}:N", f"{y}:N", f"{size}:Q", channel(f"{shade}:Q", format=".1%")],
        x=channel(f"{x}:N", title=x, sort=list(across), axis={"labelAngle": -60}),
        y=channel(f"{y}:N", title=y, sort=list(down)),
        size=channel(f"{size}:Q", legend=top),
        opacity=channel(f"{shade}:Q", legend={"format": "~%", **top}),
        facet=channel(f"{facet}:N", title=None, columns=3),
    )
    box = {"height": 26 * len(down), "width": 26 * len(across)}
    return finished(rows, {"mark": mark("circle"), "encoding": shown, **box})


def clouds(rows: Rows, y: str, measures: Sequence[str], panels: Sequence[str]) -> Spec:
    """`y` against `value`, a column per `measure`, a row per `panel`, a colour per `unit`."""
    shown = encoding(
        ["panel:N", "perturbation:N", "measure:N", "value:Q", f"{y}:Q"],
        x=channel("value:Q", title=None, scale={"zero": False}),
        y=channel(f"{y}:Q", title=y),
        color=coloured("unit:N", sort=None),
        shape=coloured("unit:N", sort=None),
    )
    cloud = {"mark": mark("point", size=28, opacity=0.85), "encoding": shown}
    grid = {"column": by_panel("measure:N", measures), "row": by_panel("panel:N", panels)}
    apart = {"scale": {"x": "independent"}}
    box = {"height": 120, "width": 170}
    return finished(rows, {"facet": grid, "spec": {**cloud, **box}, "resolve": apart})
