"""Descriptions of figures are those that Altair would write, and what draws them is shipped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hyperbaton.report.charts import charts
from hyperbaton.report.charts.points import labelled_points
from hyperbaton.report.charts.specs import describe, vegalite_version
from hyperbaton.report.charts.vegalite import SCHEMA, Spec
from hyperbaton.report.contents import Figure
from hyperbaton.report.page.data import drawing_library

_TEXTS = dict.fromkeys(("system", "language", "perturbation", "score", "leans", "unit"), "a")
_NUMBERS = dict.fromkeys(("from", "to", "share", "value", "low", "high", "length", "x"), 0.5)
ROWS: charts.Rows = [{**_TEXTS, **_NUMBERS, "panel": "p", "measure": "m", "y": 2}]
CHARTS: dict[str, Callable[[], Spec]] = {
    "distributions": lambda: charts.distributions(ROWS, "t", ("a", "b"), ["a"], ["a"], "x"),
    "grid": lambda: charts.distributions(ROWS, "t", ("a", "b"), ["a"], ["a", "b"]),
    "overlays": lambda: charts.overlays(ROWS, "t", ["a"], ["a"]),
    "heat": lambda: charts.heat(ROWS, "system", "language", (["a"], ["a"]), "t", ("panel", ["p"])),
    "dots": lambda: charts.dots(ROWS, "perturbation", ["a"], "language", "t", ["a"]),
    "lines": lambda: charts.lines(ROWS, ["a"], ["a", "b"], "t"),
    "scatter": lambda: charts.scatter(ROWS, [("x", "y")], {"x": "X", "y": "Y"}),
    "bars": lambda: charts.bars(ROWS, "length", "share", "language", ["a"]),
    "bubbles": lambda: charts.bubbles(
        ROWS, ("system", "language"), (["a"], ["a"]), "value", "share", "panel"
    ),
    "clouds": lambda: charts.clouds(ROWS, "y", ["m"], ["p"]),
    "points": lambda: labelled_points(
        ROWS, {"x": "X", "value": "Y"}, {"x": False, "value": True}, "language"
    ),
}


@pytest.mark.parametrize("name", CHARTS)
def test_altair_reads_a_description_and_writes_it_again(name: str) -> None:
    spec = CHARTS[name]()
    again = describe(Figure("F", "t", Figure("F", "t", spec).chart))
    # The version of the schema is that of Altair.
    assert {**again, "$schema": SCHEMA} == spec


def test_rows_are_held_once_by_all_charts_of_them() -> None:
    assert CHARTS["bars"]()["datasets"] == CHARTS["clouds"]()["datasets"]


def test_what_draws_figures_is_what_the_library_puts_together() -> None:
    vl_convert = pytest.importorskip("vl_convert")
    version = ".".join(SCHEMA.rpartition("/v")[2].split(".")[:2])
    if vegalite_version() != version:
        pytest.skip(f"the installed vl-convert draws {vegalite_version()}, not {version}")
    offer = "window.vegaEmbed = vegaEmbed;"
    assert drawing_library() == vl_convert.javascript_bundle(offer, vl_version=version)
