"""Systems as points with their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from hyperbaton.report.charts.vegalite import (
    Channel,
    Rows,
    Spec,
    channel,
    coloured,
    encoding,
    finished,
    mark,
)

_FAR = 8


def labelled_points(
    rows: Rows, labels: Mapping[str, str], lower: Mapping[str, bool], shade: str
) -> Spec:
    """A point with its name for each `system`, the best to the right and above.

    `labels` names the column across and the column upwards, which has an interval `low` to `high`.
    """
    x, y = labels
    scale = {
        name: {"reverse": lower[name], "type": _kind([row[name] for row in rows]), "zero": False}
        for name in labels
    }
    base: dict[str, Channel] = {
        "x": channel(f"{x}:Q", title=labels[x], scale=scale[x]),
        "color": coloured(f"{shade}:N"),
    }
    tooltip: list[Channel] = ["system:N", f"{x}:Q", f"{y}:Q", "low:Q", "high:Q"]
    points = encoding(
        tooltip,
        **base,
        y=channel(f"{y}:Q", title=labels[y], scale=scale[y]),
        shape=channel(f"{shade}:N", title=None),
    )
    spans = encoding(tooltip, **base, y=channel("low:Q", scale=scale[y]), y2="high")
    names = encoding(tooltip, **base, y=f"{y}:Q", text="system:N")
    layers = [
        {"mark": mark("rule"), "encoding": spans},
        {"mark": mark("point", size=60, filled=True), "encoding": points},
        {"mark": mark("text", align="left", dx=7), "encoding": names},
    ]
    return finished(rows, {"layer": layers, "height": 420})


def _kind(values: Sequence[object]) -> Literal["log", "linear"]:
    """A scale on which ranks that lie far behind do not press the others together."""
    numbers = [value for value in values if isinstance(value, float)]
    far = bool(numbers) and min(numbers) > 0 and max(numbers) > _FAR * min(numbers)
    return "log" if far else "linear"
