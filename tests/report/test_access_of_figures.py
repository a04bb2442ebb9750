"""axe-core finds nothing serious in figures on a phone, where some are wider than the page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from hyperbaton.report import Contents, Figure, write_report
from hyperbaton.report.charts.charts import heat
from hyperbaton.studies.isometry.figures import figures
from hyperbaton.studies.isometry.samples import pair_samples
from hyperbaton.studies.isometry.study import BLEU, CHRF
from tests.report.conftest import Open
from tests.report.test_access import serious


def _figures() -> list[Figure]:
    places = np.random.default_rng(0).random((6, 2))
    columns = ("item", "source", "varied", "output", "varied_output")
    texts = pl.DataFrame({**{name: list("abcdef") for name in columns}, "label": [1, 0] * 3})
    likeness = {CHRF: places, BLEU: places}
    points = figures([pair_samples(texts, likeness, {"one": places}, "some", "pairs")])[2].chart
    names = [f"a rather long name {number}" for number in range(60)]
    cells: list[dict[str, str | float | int | None]] = [
        {"row": "one", "column": name, "value": 0.1, "panel": "one"} for name in names
    ]
    wide = heat(cells, "column", "row", (names, ["one"]), "loss", ("panel", ["one"]))
    return [Figure("F1", "Points", points), Figure("F2", "Many columns", wide)]


def test_nothing_serious_and_what_scrolls_is_reached_by_keys(
    tmp_path: Path, open_page: Open
) -> None:
    page = tmp_path / "report.html"
    write_report(Contents("Figures", "Two kinds.", [], [], _figures(), None, [], ""), page)
    opened = open_page(page, width=390, scheme="dark")
    for number in range(2):
        opened.figure(number)
    scrolling = opened.page.locator(".frame").evaluate_all(
        "all => all.filter((frame) => frame.scrollWidth > frame.clientWidth).map((f) => f.tabIndex)"
    )
    assert scrolling == [0]
    assert serious(opened) == {}
