"""Systems as points with their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from hyperbaton.report.charts.charts import Rows, data_of

if TYPE_CHECKING:
    from hyperbaton.report.charts.charts import Chart

_FAR = 8


def labelled_points(
    rows: Rows, labels: Mapping[str, str], lower: Mapping[str, bool], shade: str
) -> Chart:
    """A point with its name for each `system`, the best to the right and above.

    `labels` names the column across and the column upwards, which has an interval `low` to `high`.
    """
    import altair as alt

    x, y = labels
    scale = {
        name: alt.Scale(zero=False, reverse=lower[name], type=_kind([row[name] for row in rows]))
        for name in labels
    }
    base = alt.Chart(data_of(rows), height=420).encode(
        x=alt.X(f"{x}:Q", title=labels[x], scale=scale[x]),
        color=alt.Color(f"{shade}:N", title=None, legend=alt.Legend(orient="top")),
        tooltip=["system:N", f"{x}:Q", f"{y}:Q", "low:Q", "high:Q"],
    )
    points = base.mark_point(size=60, filled=True).encode(
        y=alt.Y(f"{y}:Q", title=labels[y], scale=scale[y]),
        shape=alt.Shape(f"{shade}:N", title=None),
    )
    spans = base.mark_rule().encode(y=alt.Y("low:Q", scale=scale[y]), y2="high:Q")
    names = base.mark_text(align="left", dx=7).encode(y=f"{y}:Q", text="system:N")
    chart: Chart = alt.layer(spans, points, names)
    return chart


def _kind(values: Sequence[object]) -> Literal["log", "linear"]:
    """A scale on which ranks that lie far behind do not press the others together."""
    numbers = [value for value in values if isinstance(value, float)]
    far = bool(numbers) and min(numbers) > 0 and max(numbers) > _FAR * min(numbers)
    return "log" if far else "linear"
