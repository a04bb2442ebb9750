"""Points of two numbers, a column of panels for each of several x and a row for each group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperbaton.report.charts.charts import Rows, data_of

if TYPE_CHECKING:
    import altair as alt

    Chart = alt.TopLevelMixin

__all__ = ["clouds"]


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
