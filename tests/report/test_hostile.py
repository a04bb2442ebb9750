"""Text from corpora, systems and file names stays text, whatever it says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import altair
import polars
import pytest

from hyperbaton.report import (
    Contents,
    Figure,
    Finding,
    Table,
    write_figures,
    write_report,
    write_tables,
)
from hyperbaton.report.notebook import contents_html, table_html
from tests.report.conftest import Open
from tests.report.sample import contents, explorer

HOSTILE = (
    '</script><script>window.hit=1;alert(1)</script><img src=x onerror="window.hit=1">'
    "'\"><svg onload=alert(1)>]]>--><!--{{7*7}}`${alert(1)}`\u2028\u202e"
)


def hostile_contents() -> Contents:
    """A report in which every text that anybody could have written is an attack."""
    shown = explorer(40, hostile=HOSTILE.replace(" ", "\u00a0"))
    attacked = shown.rows.with_columns(
        polars.lit(HOSTILE).alias("system"), polars.lit(f'"{HOSTILE}').alias("source_language")
    )
    names = {column: f"{label} {HOSTILE}" for column, label in shown.texts.items()}
    scores = {column: f"{label} {HOSTILE}" for column, label in shown.scores.items()}
    filters = {column: f"{label} {HOSTILE}" for column, label in shown.filters.items()}
    frame = polars.DataFrame({HOSTILE: [HOSTILE, None], "x": [1.5, float("nan")]})
    # The drawing library's own grammar has no line separators; corpora reach it only as data.
    label = HOSTILE.replace("\u2028", "")
    chart = (
        altair.Chart(frame.rename({HOSTILE: "name"}), title=label)
        .mark_bar()
        .encode(x="x:Q", y=altair.Y("name:N", title=label), tooltip=["name:N"])
    )
    finding = Finding(
        HOSTILE, HOSTILE, 0.1, float("nan"), float("inf"), "holds", HOSTILE, run=HOSTILE
    )
    return Contents(
        title=HOSTILE,
        summary=HOSTILE,
        findings=[finding, replace(finding, value=float("nan"), verdict="undecided")],
        tables=[Table(HOSTILE, HOSTILE, frame, HOSTILE)],
        figures=[Figure(HOSTILE, HOSTILE, chart, HOSTILE, run=HOSTILE)],
        explorer=replace(shown, rows=attacked, texts=names, scores=scores, filters=filters),
        signatures=[HOSTILE],
        command=HOSTILE,
        notes=[HOSTILE],
    )


def test_hostile_text_does_not_run(tmp_path: Path, open_page: Open) -> None:
    path = tmp_path / "hostile.html"
    write_report(hostile_contents(), path)
    opened = open_page(path)
    page = opened.page
    opened.figure(0)
    opened.explorer()
    page.locator("#x-sentence .word").first.hover()
    page.locator("th button").first.click()
    page.wait_for_selector("th[aria-sort]")
    page.wait_for_timeout(200)
    assert page.evaluate("window.hit") is None
    assert opened.dialogs == []
    assert opened.complaints == []
    assert opened.requests == [path.as_uri()]
    assert page.locator("img").count() == 0
    assert page.locator("main script").count() == 0
    assert page.locator(".claim").first.inner_text().startswith("</script><script>")
    # Two scripts of ours and four blocks of data; nothing that a text brought in.
    assert page.locator("script").count() == 6


def test_inline_code_is_refused_by_the_policy(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file)
    opened.page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hit=1\">')"
    )
    opened.page.evaluate(
        "const added = document.createElement('script'); added.textContent = 'window.hit = 1';"
        "document.body.append(added)"
    )
    opened.page.wait_for_timeout(200)
    assert opened.page.evaluate("window.hit") is None


def test_hostile_text_in_files(tmp_path: Path) -> None:
    made = write_tables(hostile_contents(), tmp_path)
    made += write_figures(hostile_contents(), tmp_path, ["svg"])
    assert all(path.parent == tmp_path and path.stat().st_size for path in made)
    assert len(made) == 4
    svg = made[-1].read_text()
    assert "<script" not in svg
    assert "<img" not in svg


def test_hostile_text_in_a_notebook() -> None:
    shown = hostile_contents()
    for html in (contents_html(shown), table_html(shown.tables[0])):
        assert "<script" not in html
        assert "<img" not in html
        assert "&lt;/script&gt;" in html


@pytest.mark.parametrize("id_", ["../../etc/passwd", "a/b\\c", ".", "", "con:1"])
def test_an_id_never_leaves_the_folder(tmp_path: Path, id_: str) -> None:
    shown = contents(20)
    shown = replace(shown, tables=[replace(shown.tables[0], id=id_)], figures=[])
    for path in write_tables(shown, tmp_path):
        assert path.resolve().parent == tmp_path.resolve()
