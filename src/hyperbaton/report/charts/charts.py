"""The kinds of chart that figures are drawn as.

Colours come from the page's theme; the rows of a chart are aggregates, so that a page stays small.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt

    Chart = alt.TopLevelMixin

__all__ = [
    "Chart",
    "Rows",
    "bars",
    "bubbles",
    "clouds",
    "data_of",
    "distributions",
    "dots",
    "heat",
    "lines",
    "overlays",
    "scatter",
]


Rows = Sequence[Mapping[str, str | float | int | None]]


def data_of(rows: Rows) -> dict[str, object]:
    """The rows as Vega-Lite holds them; Altair would check its own kind of data value by value."""
    return {"values": [dict(row) for row in rows]}


def distributions(
    rows: Rows,
    title: str,
    sides: tuple[str, str],
    languages: Sequence[str],
    systems: Sequence[str],
    score: str = "",
) -> Chart:
    """Histograms of differences, a row of panels per system and a column per language.

    `sides` are the two values of the column `leans` that have a colour; the others are grey.
    `score` is the column of the sentences that the differences are in.
    """
    import altair as alt

    base = alt.Chart(width=110, height=90).encode(
        x=_differences(alt.X("from:Q", bin="binned"), title),
        x2="to:Q",
        y=_shares(),
        tooltip=[
            "system:N",
            "language:N",
            alt.Tooltip("from:Q", format=".3f"),
            alt.Tooltip("to:Q", format=".3f"),
            alt.Tooltip("share:Q", format=".1%"),
        ],
    )
    colour = alt.Color("leans:N", title=None, sort=list(sides), legend=alt.Legend(orient="top"))
    leaning = base.mark_bar(binSpacing=0).encode(color=colour)
    level = base.mark_bar(binSpacing=0, style="neutral")
    of_sides = f"indexof({json.dumps(sides)}, datum.leans) >= 0"
    both = alt.layer(
        leaning.transform_filter(of_sides),
        level.transform_filter(f"!({of_sides})"),
        data=data_of(rows),
    )
    if len(systems) == 1:  # wrapped, so that a narrow page has them in several rows
        wrapped = alt.Facet("language:N", title=None, sort=list(languages))
        panels: alt.FacetChart = both.facet(facet=wrapped, columns=len(languages))
    else:
        panels = both.facet(
            row=alt.Row("system:N", title=None, sort=list(systems)),
            column=alt.Column("language:N", title=None, sort=list(languages)),
        )
    about = {"range": {"score": score, "low": "from", "high": "to"}}
    return panels.properties(usermeta=about) if score else panels


def overlays(rows: Rows, title: str, panels: Sequence[str], systems: Sequence[str]) -> Chart:
    """Outlines of distributions of differences, a panel per perturbation, a line per system."""
    import altair as alt

    legend = alt.Legend(orient="top") if len(systems) > 1 else None
    chart: alt.Chart = (
        alt.Chart(data_of(rows), width=150, height=80)
        .mark_line(interpolate="step", strokeWidth=1.5)
        .encode(
            x=_differences(alt.X("middle:Q"), title),
            y=_shares(),
            color=alt.Color("system:N", title=None, sort=list(systems), legend=legend),
            facet=alt.Facet("perturbation:N", title=None, columns=4, sort=list(panels)),
            tooltip=[
                "perturbation:N",
                "system:N",
                alt.Tooltip("middle:Q", title=title, format=".2f"),
                alt.Tooltip("share:Q", format=".1%"),
            ],
        )
    )
    return chart


def _differences(x: alt.X, title: str) -> alt.X:
    """The whole range of a difference of similarities, the same in every report."""
    import altair as alt

    whole = alt.Scale(domain=[-1, 1])
    return x.title(title).scale(whole).axis(values=[-1, -0.5, 0, 0.5, 1], format="~f")


def _shares() -> alt.Y:
    """Shares of samples; most lie around 0, and under a root the few others can be seen too."""
    import altair as alt

    return alt.Y(
        "share:Q",
        title="share",
        scale=alt.Scale(type="sqrt"),
        axis=alt.Axis(format="~%", values=[0.01, 0.1, 0.3, 0.6, 1], grid=False),
    )


def heat(
    rows: Rows,
    x: str,
    y: str,
    orders: tuple[Sequence[str], Sequence[str]],
    title: str,
    facet: tuple[str, Sequence[str]],
    columns: int = 2,
    cell: int = 24,
) -> Chart:
    """Grids of cells coloured by `value`, a panel for each value of a further column."""
    import altair as alt

    across, down = orders
    name, values = facet
    chart: alt.Chart = (
        alt.Chart(data_of(rows), width=cell * len(across), height=cell * len(down))
        .mark_rect()
        .encode(
            x=alt.X(f"{x}:N", title=None, sort=list(across), axis=alt.Axis(labelAngle=-60)),
            y=alt.Y(f"{y}:N", title=None, sort=list(down)),
            color=alt.Color("value:Q", title=title, legend=alt.Legend(orient="top")),
            tooltip=[f"{y}:N", f"{x}:N", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    panels: alt.FacetChart = chart.facet(
        facet=alt.Facet(f"{name}:N", title=None, sort=list(values)), columns=columns
    )
    return panels


def dots(
    rows: Rows,
    y: str,
    order: Sequence[str],
    facet: str,
    title: str,
    facets: Sequence[str],
    columns: int = 4,
    percent: bool = False,
) -> Chart:
    """Values with their intervals: a line per `y`, a colour per `score`, a panel per `facet`."""
    import altair as alt

    shown = ".0%" if percent else ".3f"

    base = alt.Chart(width=150, height=16 * max(3, len(order))).encode(
        y=alt.Y(f"{y}:N", title=None, sort=list(order)),
        # Two intervals of one line must not cover each other.
        yOffset=alt.YOffset("score:N", sort=None),
    )
    tooltip = [
        f"{facet}:N",
        f"{y}:N",
        "score:N",
        *(alt.Tooltip(f"{name}:Q", format=shown) for name in ("value", "low", "high")),
    ]
    axis = alt.Axis(format=shown) if percent else alt.Undefined
    top = alt.Legend(orient="top")
    points = base.mark_point(size=30, opacity=1).encode(
        x=alt.X("value:Q", title=title, scale=alt.Scale(zero=False), axis=axis),
        color=alt.Color("score:N", title=None, sort=None, legend=top),
        shape=alt.Shape("score:N", title=None, sort=None, legend=top),
        tooltip=tooltip,
    )
    spans = base.mark_rule(strokeWidth=1.5).encode(
        x="low:Q",
        x2="high:Q",
        # Not as `color`: colour and shape become one legend only where they stand alone.
        stroke=alt.Stroke("score:N", sort=None, legend=None),
    )
    panels: alt.FacetChart = alt.layer(spans, points, data=data_of(rows)).facet(
        facet=alt.Facet(f"{facet}:N", title=None, sort=list(facets)), columns=columns
    )
    return panels


def lines(rows: Rows, facets: Sequence[str], systems: Sequence[str], title: str) -> Chart:
    """Mean scores by relative length, a panel per language, a dash per system."""
    import altair as alt

    legend = alt.Legend(orient="top", symbolType="stroke") if len(systems) > 1 else None
    chart: alt.Chart = (
        alt.Chart(data_of(rows), width=150, height=110)
        .mark_line(point=alt.OverlayMarkDef(size=18))
        .encode(
            x=alt.X(
                "length:Q",
                title="relative length",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format="~f"),
            ),
            y=alt.Y("value:Q", title=title),
            color=alt.Color("score:N", title=None, sort=None, legend=alt.Legend(orient="top")),
            strokeDash=alt.StrokeDash("system:N", title=None, sort=list(systems), legend=legend),
            facet=alt.Facet("language:N", title=None, columns=4, sort=list(facets)),
            tooltip=["language:N", "system:N", "score:N", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    return chart


def scatter(rows: Rows, axes: Sequence[tuple[str, str]], labels: Mapping[str, str]) -> Chart:
    """Single samples, two scores against each other in each panel."""
    import altair as alt

    span = alt.Scale(domain=[0, 1])
    panels = [
        alt.Chart(width=210, height=210)
        .mark_circle(size=14, opacity=1, fillOpacity=0.45)  # a sixth of `opacity` in a PDF
        .encode(
            x=alt.X(f"{x}:Q", title=labels[x], scale=span),
            y=alt.Y(f"{y}:Q", title=labels[y], scale=span),
            color=alt.Color("language:N", title=None, sort=None, legend=alt.Legend(orient="top")),
            tooltip=["language:N", "system:N", f"{x}:Q", f"{y}:Q"],
        )
        for x, y in axes
    ]
    return alt.hconcat(*panels, data=data_of(rows), usermeta={"samples": True})


def bars(rows: Rows, x: str, y: str, facet: str, facets: Sequence[str]) -> Chart:
    """Shares over whole numbers, a panel per group."""
    import altair as alt

    chart: alt.Chart = (
        alt.Chart(data_of(rows), width=190, height=90)
        .mark_bar()
        .encode(
            x=alt.X(f"{x}:Q", title=x),
            y=alt.Y(f"{y}:Q", title=y, axis=alt.Axis(format="~%")),
            facet=alt.Facet(f"{facet}:N", title=None, columns=4, sort=list(facets)),
            tooltip=[f"{facet}:N", f"{x}:Q", alt.Tooltip(f"{y}:Q", format=".1%")],
        )
    )
    return chart


def bubbles(
    rows: Rows,
    axes: tuple[str, str],
    orders: tuple[Sequence[str], Sequence[str]],
    size: str,
    shade: str,
    facet: str,
) -> Chart:
    """A grid of bubbles: their size is a count, their opacity a share."""
    import altair as alt

    (x, y), (across, down) = axes, orders
    chart: alt.Chart = (
        alt.Chart(data_of(rows), width=26 * len(across), height=26 * len(down))
        .mark_circle()
        .encode(
            x=alt.X(f"{x}:N", title=x, sort=list(across), axis=alt.Axis(labelAngle=-60)),
            y=alt.Y(f"{y}:N", title=y, sort=list(down)),
            size=alt.Size(f"{size}:Q", legend=alt.Legend(orient="top")),
            opacity=alt.Opacity(f"{shade}:Q", legend=alt.Legend(orient="top", format="~%")),
            facet=alt.Facet(f"{facet}:N", title=None, columns=3),
            tooltip=[f"{x}:N", f"{y}:N", f"{size}:Q", alt.Tooltip(f"{shade}:Q", format=".1%")],
        )
    )
    return chart


def clouds(rows: Rows, y: str, measures: Sequence[str], panels: Sequence[str]) -> Chart:
    """`y` against `value`, a column per `measure`, a row per `panel`, a colour per `unit`."""
    import altair as alt

    top = alt.Legend(orient="top")
    chart: alt.FacetChart = (
        alt.Chart(data_of(rows), width=170, height=120)
        .mark_point(size=28, opacity=0.85)
        .encode(
            x=alt.X("value:Q", title=None, scale=alt.Scale(zero=False)),
            y=alt.Y(f"{y}:Q", title=y),
            color=alt.Color("unit:N", title=None, sort=None, legend=top),
            shape=alt.Shape("unit:N", title=None, sort=None, legend=top),
            tooltip=["panel:N", "perturbation:N", "measure:N", "value:Q", f"{y}:Q"],
        )
        .facet(
            column=alt.Column("measure:N", title=None, sort=list(measures)),
            row=alt.Row("panel:N", title=None, sort=list(panels)),
        )
        .resolve_scale(x="independent")
    )
    return chart
