"""Figures as Vega-Lite: the chart's own description, and one look for all on light and on dark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from hyperbaton.report.charts.vegalite import SCHEMA, Spec
from hyperbaton.report.contents import Figure

_PIECES = ("facet", "repeat", "hconcat", "vconcat", "concat", "spec")
_FACETS = ("row", "column", "facet")
Config = dict[str, object]
"""A Vega-Lite configuration."""

CATEGORIES: Mapping[str, Sequence[str]] = {
    # Okabe and Ito (2008), without the yellow that white paper swallows; its black is a grey that
    # both backgrounds carry.
    "light": (
        "#0072B2",
        "#D55E00",
        "#009E73",
        "#CC79A7",
        "#E69F00",
        "#56B4E9",
        "#7A6FB0",
        "#6B6B6B",
    ),
    "dark": (
        "#4FA8DE",
        "#F0884A",
        "#2FC49A",
        "#E09CC4",
        "#F2BC4B",
        "#8CCBF2",
        "#A79DDB",
        "#A8A8A8",
    ),
}
_RAMPS: Mapping[str, Sequence[str]] = {
    "light": ("#F3F6F9", "#C3D9EA", "#86B6D8", "#4189BC", "#0B5C94", "#083A63"),
    "dark": ("#1C232B", "#1F3C55", "#235A85", "#3A84BC", "#74B3E0", "#CBE6FA"),
}
_DIVERGING: Mapping[str, Sequence[str]] = {
    "light": ("#08467A", "#3F8DC1", "#A9CDE6", "#F4F3F0", "#F2C08C", "#D9802F", "#8F4A06"),
    "dark": ("#9FD3F7", "#4A9AD1", "#24567D", "#23262B", "#7A4A1B", "#D08540", "#F9CB98"),
}
_INK = {"light": "#1F2328", "dark": "#E6E8EA"}
_MUTED = {"light": "#5B636B", "dark": "#A3ABB3"}
_GRID = {"light": "#E4E7EA", "dark": "#33393F"}

SCREEN_FONT = (
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif'
)
PRINT_FONT = '"Liberation Sans", Arial, Helvetica, "Noto Sans CJK SC", "DejaVu Sans", sans-serif'


def describe(figure: Figure) -> Spec:
    """The description of a figure with all of its data."""
    if isinstance(figure.drawn, dict):
        return figure.drawn
    import altair

    with altair.theme.enable("none"), altair.data_transformers.enable("default", max_rows=None):
        return cast(Spec, figure.drawn.to_dict())


def themed(spec: Spec, config: Config) -> Spec:
    """The same figure with a look; what the figure itself configures goes first."""
    return {**spec, "config": _merge(config, cast(Config, spec.get("config") or {}))}


def _merge(base: Config, over: Config) -> Config:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merge(cast(Config, old), cast(Config, value)) if both else value
    return merged


def shared(specs: Iterable[Spec]) -> tuple[list[Spec], dict[str, object]]:
    """The figures with their data taken out, and the data: once, however many figures draw it."""
    bare: list[Spec] = []
    datasets: dict[str, object] = {}
    for spec in specs:
        datasets |= cast(dict[str, object], spec.get("datasets") or {})
        bare.append(_flexible({k: v for k, v in spec.items() if k != "datasets"}))
    return bare, datasets


def _flexible(spec: Spec) -> Spec:
    """A single view without a width of its own is as wide as the page lets it be."""
    encoding = cast(dict[str, object], spec.get("encoding") or {})
    single = not any(key in spec for key in _PIECES) and not any(key in encoding for key in _FACETS)
    if single and "width" not in spec:
        return {**spec, "width": "container", "autosize": {"type": "fit-x", "contains": "padding"}}
    return spec


def vegalite_version() -> str:
    """The version of Vega-Lite that draws what figures are described in.

    >>> vegalite_version().count(".")
    1
    """
    import vl_convert

    known = vl_convert.get_vegalite_versions()
    major, minor = (int(part) for part in SCHEMA.rpartition("/v")[2].split(".")[:2])
    numbers = [tuple(int(part) for part in name.split(".")) for name in known]
    later = [number for number in numbers if number[0] == major and number[1] >= minor]
    return ".".join(map(str, min(later, default=max(numbers))))


def config(mode: str = "light", font: str = SCREEN_FONT) -> Config:
    """The configuration of a figure on a light or dark page."""
    ink, muted, grid = _INK[mode], _MUTED[mode], _GRID[mode]
    labels = {"labelColor": muted, "titleColor": ink, "labelFontSize": 11, "titleFontSize": 12}
    titles = {"titleFontWeight": 600, "labelLimit": 220, "titleLimit": 400}
    symbols = {"symbolBaseFillColor": muted, "symbolBaseStrokeColor": muted}
    accent = CATEGORIES[mode][0]
    return {
        "font": font,
        "background": "transparent",
        "padding": 4,
        "view": {"stroke": None, "continuousWidth": 520, "continuousHeight": 280},
        "title": {"color": ink, "fontSize": 13, "fontWeight": 600, "anchor": "start", "offset": 8},
        "axis": {
            **labels,
            **titles,
            "domainColor": muted,
            "tickColor": muted,
            "gridColor": grid,
            "titlePadding": 8,
            "labelSeparation": 6,
        },
        "axisBand": {"grid": False, "ticks": False, "domain": False},
        "legend": {**labels, **titles, "symbolStrokeWidth": 2, **symbols, "gradientThickness": 12},
        "header": {**labels, **titles, "labelFontWeight": 600, "labelColor": ink},
        "range": {
            "category": list(CATEGORIES[mode]),
            "ordinal": list(_RAMPS[mode][1:]),
            "ramp": list(_RAMPS[mode]),
            "heatmap": list(_RAMPS[mode]),
            "diverging": list(_DIVERGING[mode]),
        },
        "mark": {"color": accent},
        "line": {"strokeWidth": 2},
        "point": {"filled": True, "size": 40},
        "rule": {"color": muted},
        "style": {"neutral": {"color": muted, "fillOpacity": 0.6}},
        "text": {"color": ink, "fontSize": 11},
        "boxplot": {"median": {"color": ink}, "outliers": {"size": 8, "opacity": 0.5}},
    }
