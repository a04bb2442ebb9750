"""The page in a real browser: complete without a network, quick, and deaf to hostile text."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import polars
import pytest

from hyperbaton.report import Contents, Explorer, Table, write_report
from tests.report.conftest import Open, Opened
from tests.report.sample import contents


def _count(opened: Opened) -> int:
    text = opened.page.locator("#x-count").inner_text()
    return int(text.split(" of ")[0].replace(",", ""))


def _filter(opened: Opened, label: str, value: str) -> None:
    select = opened.page.locator("#x-filters label", has_text=label).locator("select")
    options = select.locator("option").all_inner_texts()
    select.select_option(label=next(option for option in options if option.startswith(f"{value} ")))


def test_opens_alone_and_without_a_complaint(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file)
    opened.page.wait_for_selector("#findings .finding")
    for number in range(3):
        opened.figure(number)
    opened.explorer()
    assert opened.complaints == []
    assert opened.requests == [sample_file.as_uri()]
    assert opened.page.evaluate(
        "fetch('https://example.org').then(() => 'out', () => 'kept in')"
    ) == ("kept in")


def test_findings_come_first(sample_file: Path, open_page: Open, sample: Contents) -> None:
    page = open_page(sample_file).page
    sections = page.locator("main > section").evaluate_all("all => all.map(each => each.id)")
    assert sections == ["findings", "figures", "tables", "sentences", "notes", "provenance"]
    assert page.locator(".claim").all_inner_texts() == [
        finding.claim for finding in sample.findings
    ]
    first = page.locator(".finding").first
    assert first.locator(".verdict").inner_text().split()[:2] == ["✓", "holds"]
    box = first.bounding_box()
    assert box is not None
    assert box["y"] < 900


def test_figures_wait_until_they_are_near(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file, height=500)
    opened.page.wait_for_timeout(300)
    assert opened.page.locator('.drawing[data-figure="2"] svg').count() == 0
    opened.figure(2)
    marks = opened.page.locator('.drawing[data-figure="2"] svg .mark-symbol path')
    assert marks.count() >= 40


@pytest.mark.parametrize(("width", "columns"), [(1280, 4), (640, 2), (375, 1)])
def test_panels_wrap_as_the_page_is_wide(
    sample_file: Path, open_page: Open, width: int, columns: int
) -> None:
    opened = open_page(sample_file, width=width)
    opened.figure(2)
    tops = opened.page.locator('.drawing[data-figure="2"] svg .mark-group.cell > g').evaluate_all(
        "all => all.map(each => Math.round(each.getBoundingClientRect().top))"
    )
    assert max(tops.count(top) for top in tops) == columns
    frame, drawn = opened.page.evaluate(
        """() => { const box = document.querySelector('.drawing[data-figure="2"]');
        return [box.clientWidth, box.querySelector("svg").getBoundingClientRect().width]; }"""
    )
    assert 0.8 * frame < drawn <= frame + 2


def test_figures_are_saved(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file)
    figure = opened.page.locator("figure").first
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with opened.page.expect_download() as waiting:
            figure.locator(f"button.{kind}").click()
        assert waiting.value.suggested_filename == f"figure-f1.{kind}"
        assert Path(waiting.value.path()).read_bytes().startswith(start)


def test_explorer_filters(sample_file: Path, open_page: Open, sample: Contents) -> None:
    assert sample.explorer is not None
    rows = sample.explorer.rows
    opened = open_page(sample_file)
    opened.explorer()
    assert _count(opened) == rows.height
    _filter(opened, "language", "ja")
    _filter(opened, "perturbation", "wordShuffle")
    _filter(opened, "flip", "yes")
    wanted = rows.filter(language="ja", perturbation="wordShuffle", flip=True)
    assert 0 < _count(opened) == wanted.height < rows.height
    shown = opened.page.locator("#x-list .about span").all_inner_texts()
    assert all(text.startswith("ja · wordShuffle") and text.endswith("yes") for text in shown)
    opened.page.locator("#x-reset").click()
    assert _count(opened) == rows.height


def test_explorer_sorts(sample_file: Path, open_page: Open, sample: Contents) -> None:
    assert sample.explorer is not None
    opened = open_page(sample_file)
    opened.explorer()
    opened.page.locator("#x-sort").select_option(label="β2 − β1")
    for direction, down in (("up", False), ("down", True)):
        opened.page.locator("#x-direction").select_option(direction)
        shown = opened.page.locator("#x-list .about b").all_inner_texts()[:8]
        best = sample.explorer.rows["difference"].sort(descending=down).head(8)
        assert [float(text.replace("−", "-")) for text in shown] == pytest.approx(
            best.to_list(), abs=6e-4
        )


def test_explorer_searches(sample_file: Path, open_page: Open, sample: Contents) -> None:
    assert sample.explorer is not None
    rows, texts = sample.explorer.rows, [*sample.explorer.texts]
    opened = open_page(sample_file)
    opened.explorer()
    for query in ("kettle", "KETTLE", "面包师", "ランタン", "no such words"):
        opened.page.locator("#x-search").fill(query)
        found = polars.any_horizontal(
            polars.col(name).str.to_lowercase().str.contains(query.lower(), literal=True)
            for name in texts
        )
        assert _count(opened) == rows.filter(found).height
    assert "No row is left" in opened.page.locator("#x-sentence").inner_text()


def test_explorer_by_keyboard(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file)
    opened.explorer()
    opened.page.locator("#x-list").focus()
    for key, at in (("ArrowDown", 1), ("End", 399), ("ArrowUp", 398), ("Home", 0)):
        opened.page.keyboard.press(key)
        chosen = opened.page.locator('#x-list [aria-selected="true"]')
        assert chosen.get_attribute("data-at") == str(at)
        assert (
            opened.page.locator("#x-list").get_attribute("aria-activedescendant") == f"x-row-{at}"
        )


def test_words_are_linked(sample_file: Path, open_page: Open, sample: Contents) -> None:
    assert sample.explorer is not None
    opened = open_page(sample_file)
    opened.explorer()
    _filter(opened, "language", "zh")
    _filter(opened, "perturbation", "reversed")
    row = sample.explorer.rows.filter(language="zh", perturbation="reversed").row(0, named=True)
    blocks = opened.page.locator("#x-sentence .block")
    assert blocks.locator("h4").all_inner_texts() == list(sample.explorer.texts.values())
    texts = blocks.locator(".text")
    names = list(sample.explorer.texts)
    assert texts.all_inner_texts() == [row[name] for name in names]
    words = texts.nth(2).locator(".word").all_inner_texts()
    assert words == row["reference_words"]
    moved = texts.nth(3).locator(".word").all_inner_texts()
    assert moved == [row["reference_words"][i] for i in row["reference_order"]]
    assert texts.nth(2).get_attribute("lang") == "zh"
    assert blocks.nth(3).locator(".crossings path").count() == len(words)
    texts.nth(2).locator(".word").first.hover()
    same = opened.page.locator("#x-sentence .word.same")
    assert same.all_inner_texts() == [words[0], words[0]]
    assert (
        opened.page.locator(".tip:visible").inner_text()
        == f"place 1 → {len(words) - 1} of {len(words)}"
    )


def test_some_words_are_marked(open_page: Open, tmp_path: Path, sample: Contents) -> None:
    rows = polars.DataFrame(
        {
            "text": ["He <b>go</b> home.", "plain", "not made of its words"],
            "words": [["He", "<b>go</b>", "home", "."], ["plain"], ["others"]],
            "marks": [[1, 3], [], [0]],
            "labels": [[-6, 0], None, [1]],
        }
    )
    shown = Explorer(
        rows,
        texts={"text": "text"},
        scores={},
        filters={},
        words={"text": "words"},
        marks={"text": "marks"},
        labels={"text": "labels"},
    )
    path = tmp_path / "report.html"
    write_report(replace(sample, explorer=shown), path)
    opened = open_page(path)
    opened.explorer()
    text = opened.page.locator("#x-sentence .text")
    assert text.inner_text() == "He <b>go</b> home."
    assert text.locator("mark").all_inner_texts() == ["<b>go</b>", "."]
    beneath = "all => all.map(each => getComputedStyle(each, '::after').content)"
    assert text.locator("mark").evaluate_all(beneath) == ['"−6"', '"0"']
    assert text.locator(".word, b").count() == 0
    assert opened.page.locator("#x-list mark").count() == 2
    opened.page.locator("#x-list").focus()
    for plain in ("plain", "not made of its words"):
        opened.page.keyboard.press("ArrowDown")
        assert text.inner_text() == plain
        assert text.locator("mark").count() == 0
    assert opened.complaints == []


def test_tables_sort_and_save(sample_file: Path, open_page: Open, sample: Contents) -> None:
    opened = open_page(sample_file)
    table = sample.tables[1].data
    section = opened.page.locator("#table-t4")
    section.locator("th button", has_text="beta1").click()
    opened.page.wait_for_selector('#table-t4 th[data-column="4"][aria-sort="descending"]')
    shown = section.locator("tbody tr td:nth-child(5)").all_inner_texts()
    highest = table["beta1"].sort(descending=True).head(60)
    assert [float(text) for text in shown] == pytest.approx(highest.to_list(), abs=6e-4)
    section.locator(".more").click()
    section.locator(".more").wait_for(state="detached")
    assert section.locator("tbody tr").count() == table.height
    with opened.page.expect_download() as waiting:
        section.locator(".csv").click()
    assert waiting.value.suggested_filename == "table-t4.csv"
    saved = polars.read_csv(Path(waiting.value.path()))
    assert saved.equals(table)


def test_sentences_are_saved(sample_file: Path, open_page: Open, sample: Contents) -> None:
    assert sample.explorer is not None
    opened = open_page(sample_file)
    opened.explorer()
    _filter(opened, "language", "fr")
    with opened.page.expect_download() as waiting:
        opened.page.locator("#x-csv").click()
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text())))
    wanted = sample.explorer.rows.filter(language="fr")
    assert [row["perturbed source"] for row in rows] == wanted["varied"].to_list()
    assert [float(row["β1"]) for row in rows] == wanted["beta1"].to_list()


def test_a_text_is_no_formula_in_saved_csv(tmp_path: Path, open_page: Open) -> None:
    rows = polars.DataFrame({"=a": ["=1+1", "- b", "-0.5", "c"], "n": [-0.5, 1.0, -2.0, 3.0]})
    made = contents(20)
    assert made.explorer is not None
    texts = made.explorer.rows.with_columns(varied="@" + polars.col("varied"))
    tables = [Table("T4", "Texts", rows)]
    write_report(
        replace(made, tables=tables, explorer=replace(made.explorer, rows=texts)),
        tmp_path / "page.html",
    )
    opened = open_page(tmp_path / "page.html")
    with opened.page.expect_download() as waiting:
        opened.page.locator("#table-t4 .csv").click()
    saved = list(csv.reader(io.StringIO(Path(waiting.value.path()).read_text())))
    assert [row[0] for row in saved] == ["'=a", "'=1+1", "'- b", "-0.5", "c"]
    assert [row[1] for row in saved[1:]] == ["-0.5", "1", "-2", "3"]
    opened.explorer()
    with opened.page.expect_download() as waiting:
        opened.page.locator("#x-csv").click()
    sentences = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text())))
    assert [row["perturbed source"] for row in sentences] == [f"'{t}" for t in texts["varied"]]


def _becomes_true(opened: Opened, condition: str) -> bool:
    """Whether a condition holds within ten seconds.

    Playwright's own way evaluates text inside the page, which the page's policy forbids; it fails
    where the condition does not hold at once.
    """
    look = f"() => {condition} ? done(true) : tries-- ? setTimeout(look, 20) : done(false)"
    return bool(
        opened.page.evaluate(
            f"() => new Promise(done => {{ let tries = 500; const look = {look}; look() }})"
        )
    )


def test_command_is_copied(sample_file: Path, open_page: Open, sample: Contents) -> None:
    opened = open_page(sample_file)
    opened.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    # The button says so for a moment only, which a busy machine could miss.
    opened.page.evaluate(
        """() => {
          const button = document.querySelector("#provenance .copy");
          window.said = [];
          const watch = () => window.said.push(button.textContent);
          new MutationObserver(watch).observe(button, {childList: true, characterData: true});
        }"""
    )
    opened.page.locator("#provenance .copy").first.click()
    assert _becomes_true(opened, "window.said.includes('Copied')")
    assert opened.page.evaluate("navigator.clipboard.readText()") == sample.command


@pytest.mark.parametrize("width", [320, 375, 768])
def test_nothing_sticks_out_of_a_small_screen(
    sample_file: Path, open_page: Open, width: int
) -> None:
    opened = open_page(sample_file, width=width, height=812)
    for number in range(3):
        opened.figure(number)
    opened.explorer()
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width


def test_dark_page_and_dark_figures(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file, scheme="dark")
    page = opened.page
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(20, 23, 26)"
    opened.figure(0)
    label = page.locator('.drawing[data-figure="0"] svg .role-axis-label text').first
    assert label.get_attribute("fill") == "#A3ABB3"
    page.locator("#theme").click()
    assert page.evaluate(background) == "rgb(253, 252, 250)"
    page.wait_for_selector('.drawing[data-figure="0"] svg .role-axis-label text[fill="#5B636B"]')
    page.reload()
    assert page.evaluate(background) == "rgb(253, 252, 250)"
    assert opened.complaints == []


def test_everything_can_be_printed(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file)
    opened.page.evaluate("window.print = () => { window.printed = true; }")
    opened.page.locator("#print").click()
    assert _becomes_true(opened, "window.printed")
    assert opened.page.locator(".drawing.drawn svg").count() == 3
    opened.page.emulate_media(media="print")
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert len(opened.page.pdf()) > 20_000
