"""Reading the page: on paper, on a phone, from link to link, with terms explained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import altair
import polars
import pytest

from hyperbaton.report import Contents, Figure, Table, write_report
from hyperbaton.report.page.page import page
from tests.report.conftest import Open

_TOP = "Math.round(document.getElementById('{}').getBoundingClientRect().top)"


def test_paper_has_all_figures_without_a_click(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file, height=500)
    screen = opened.page
    assert screen.locator(".drawing.drawn").count() < 3
    assert len(screen.pdf()) > 20_000
    assert screen.locator(".drawing.drawn svg").count() == 3
    screen.set_viewport_size({"width": 700, "height": 500})
    screen.emulate_media(media="print")
    wider = "all => all.filter(each => each.getBoundingClientRect().right > innerWidth).length"
    assert screen.locator(".drawing svg").evaluate_all(wider) == 0
    clipped = "all => all.filter(each => getComputedStyle(each).overflowX !== 'visible').length"
    assert screen.locator(".frame, .grid").evaluate_all(clipped) == 0
    assert opened.complaints == []


@pytest.mark.parametrize("section", ["tables", "sentences", "provenance"])
def test_a_link_lands_although_figures_grow(
    sample_file: Path, open_page: Open, section: str
) -> None:
    opened = open_page(sample_file, width=700, height=700)
    # Chromium holds what is in sight in its place by itself; Safari does not.
    opened.page.evaluate("document.documentElement.style.overflowAnchor = 'none'")
    opened.page.locator(f'.bar a[href="#{section}"]').click()
    opened.page.wait_for_timeout(200)
    for number in range(3):  # what is drawn above must not push the section away
        opened.page.evaluate(
            f"document.querySelectorAll('.drawing')[{number}].style.height = '40rem'"
        )
        opened.page.wait_for_timeout(100)
    below = opened.page.evaluate(
        "document.documentElement.scrollHeight - innerHeight - Math.round(scrollY)"
    )
    top = opened.page.evaluate(_TOP.format(section))
    assert 0 <= top < 100 or below <= 1


def test_verdicts_have_their_colours_on_a_phone(sample_file: Path, open_page: Open) -> None:
    colours = [
        open_page(sample_file, width=width)
        .page.locator(".verdict")
        .evaluate_all("all => all.map(each => getComputedStyle(each).color)")
        for width in (1280, 390)
    ]
    assert colours[0] == colours[1]
    assert len(set(colours[0])) == 3


def test_every_panel_has_its_axis_on_a_phone(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file, width=375)
    opened.figure(2)
    axes = opened.page.locator('.drawing[data-figure="2"] svg g[aria-label^="X-axis"]')
    labelled = "all => all.filter(each => each.querySelector('.role-axis-label text')).length"
    assert axes.evaluate_all(labelled) == 4


def test_a_legend_fits_a_phone(open_page: Open, tmp_path: Path, sample: Contents) -> None:
    names = [f"a system with quite a long name, number {number}" for number in range(4)]
    rows = polars.DataFrame({"x": range(4), "y": range(4), "system": names})
    top = altair.Legend(orient="top", title=None)
    chart = (
        altair.Chart(rows)
        .mark_point()
        .encode(x="x", y="y", color=altair.Color("system", legend=top))
    )
    path = tmp_path / "report.html"
    write_report(replace(sample, figures=[Figure("F1", "Systems", chart)]), path)
    opened = open_page(path, width=390)
    opened.figure(0)
    ends = opened.page.locator(".drawing .role-legend-label text").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().right)"
    )
    assert len(ends) == 4
    assert max(ends) <= 390


def test_a_wide_table_says_that_it_goes_on(
    open_page: Open, tmp_path: Path, sample: Contents
) -> None:
    wide = polars.DataFrame({f"a long column {number}": [number] for number in range(20)})
    path = tmp_path / "report.html"
    small = Table("T0", "Small", polars.DataFrame({"a": [1]}))
    write_report(replace(sample, tables=[small, Table("T1", "Wide", wide)]), path)
    screen = open_page(path, width=390).page
    assert not screen.locator("#table-t0 .hint").is_visible()
    hint = screen.locator("#table-t1 .hint")
    hint.scroll_into_view_if_needed()
    assert hint.inner_text() == "Scroll for more columns →"
    screen.locator("#table-t1 .grid").evaluate("each => each.scrollTo(each.scrollWidth, 0)")
    hint.wait_for(state="hidden")


def test_p_is_written_as_a_paper_does(sample: Contents) -> None:
    data = polars.DataFrame({"p": [0.0, 0.0312, 1.0, None], "x": [0.0, 0.0312, 1.0, None]})
    text = page(replace(sample, tables=[Table("T1", "Tests", data)]))
    cells = text.split("<tbody>")[1].split("</tbody>")[0]
    assert ">&lt; .001<" in cells
    assert ">.031<" in cells
    assert ">0.031<" in cells


def test_terms_are_explained_everywhere(open_page: Open, tmp_path: Path, sample: Contents) -> None:
    path = tmp_path / "report.html"
    noted = replace(sample.tables[0], note="About β1.")
    write_report(
        replace(sample, tables=[noted], notes=["β1 again."], glossary={"β1": "Robustness."}), path
    )
    opened = open_page(path, width=390)
    for part in ("figure h3", ".table .note", "#notes li", ".claim"):
        assert opened.page.locator(f'{part} abbr[title="Robustness."]').count() >= 1, part
    for number in range(3):  # what is not drawn yet would push the note away under the pointer
        opened.figure(number)
    opened.explorer()
    opened.page.locator("#notes abbr").first.click()
    assert opened.page.locator(".tip:visible").inner_text() == "Robustness."
    opened.page.locator("#notes-title").click()
    assert opened.page.locator(".tip:visible").count() == 0


def test_when_where_and_of_what(sample: Contents) -> None:
    facts = {"finished": "2026-01-02 03:04 UTC", "input en-de": "news.en (abc)"}
    text = page(replace(sample, facts=facts)).split('id="provenance"')[1]
    assert "<dt>finished</dt><dd>2026-01-02 03:04 UTC</dd>" in text
    assert "<dt>input en-de</dt><dd>news.en (abc)</dd>" in text
