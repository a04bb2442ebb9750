"""Figures as Vega-Lite: the chart's own description, without defaults of the library."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from hyperbaton.report.charts.theme import Config
from hyperbaton.report.contents import Figure

__all__ = ["Spec", "describe", "shared", "themed", "vegalite_version"]

Spec = dict[str, object]
"""A Vega-Lite description as plain JSON."""

_PIECES = ("facet", "repeat", "hconcat", "vconcat", "concat", "spec")
_FACETS = ("row", "column", "facet")


def describe(figure: Figure) -> Spec:
    """The description of a figure with all of its data."""
    import altair

    with altair.theme.enable("none"), altair.data_transformers.enable("default", max_rows=None):
        return cast(Spec, figure.chart.to_dict())


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
    """The version of Vega-Lite that draws what the chart library describes.

    >>> vegalite_version().count(".")
    1
    """
    import altair
    import vl_convert

    known = vl_convert.get_vegalite_versions()
    major, minor = (int(part) for part in altair.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    numbers = [tuple(int(part) for part in name.split(".")) for name in known]
    later = [number for number in numbers if number[0] == major and number[1] >= minor]
    return ".".join(map(str, min(later, default=max(numbers))))
