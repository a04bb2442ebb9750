"""A hundred thousand rows in a real browser; benchmarks/report.py says how long they take."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.report import Contents, write_report
from tests.report.conftest import Open, Opened
from tests.report.sample import explorer

_ROWS = 100_000


@pytest.fixture(scope="module")
def big_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of nothing but rows."""
    shown = explorer(_ROWS)
    path = tmp_path_factory.mktemp("big") / "report.html"
    write_report(Contents("Many rows", "", [], [], [], shown, [], ""), path)
    return path


@pytest.fixture
def big(big_file: Path, open_page: Open) -> Opened:
    """The same, open and unpacked."""
    opened = open_page(big_file)
    opened.explorer()
    return opened


def test_file_is_of_a_reasonable_size(big_file: Path) -> None:
    assert big_file.stat().st_size < 10_000_000


def test_only_rows_in_sight_are_drawn(big: Opened) -> None:
    page = big.page
    drawn = page.locator("#x-list .row")
    page.locator("#x-search").fill("violin")
    found = page.locator("#x-count").inner_text()
    assert 0 < int(found.split(" of ")[0].replace(",", "")) < _ROWS
    page.locator("#x-sort").select_option("beta2")
    page.locator("#x-list").evaluate("list => list.scrollTo(0, list.scrollHeight / 2)")
    page.wait_for_timeout(100)
    assert 5 < drawn.count() < 40
    assert big.complaints == []


def test_the_last_row_can_be_reached(big: Opened) -> None:
    big.page.locator("#x-list").focus()
    big.page.keyboard.press("End")
    chosen = big.page.locator('#x-list [aria-selected="true"]')
    assert chosen.get_attribute("data-at") == str(_ROWS - 1)
    assert chosen.is_visible()
