"""How soon a report of 100,000 rows can be read and searched, in Chromium.

Run from the repository: python -m benchmarks.report
"""

from __future__ import annotations

import argparse
import shutil
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from hyperbaton.report import Contents, write_report
from tests.report.sample import explorer

if TYPE_CHECKING:
    from playwright.sync_api import Page

_QUERIES = ("v", "violin", "violin pilot", "echelle friday", "no such words", '"gave the pilot"')
# A search with the new rows laid out, in milliseconds.
_SEARCH = """(query) => {
  const search = document.getElementById("x-search");
  const start = performance.now();
  search.value = query;
  search.dispatchEvent(new Event("input"));
  document.getElementById("x-list").getBoundingClientRect();
  return performance.now() - start;
}"""


def main() -> None:
    """Write a page, open it and search it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        shown = explorer(rows)
        start = perf_counter()
        write_report(Contents("Many rows", "", [], [], [], shown, [], ""), path)
        size = path.stat().st_size / 1e6
        print(f"{rows:,} rows: {size:.1f} MB, written in {perf_counter() - start:.1f} s")
        _browse(path)


def _browse(path: Path) -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        start = perf_counter()
        page.goto(path.as_uri() + "#sentences&sort=beta1")
        page.wait_for_selector("#x-list .row")
        print(f"ready after {perf_counter() - start:.2f} s")
        page.wait_for_timeout(2000)  # the index of the search is made when nothing else is to do
        _search(page)
        browser.close()


def _search(page: Page) -> None:
    for query in _QUERIES:
        times = [page.evaluate(_SEARCH, text) for text in ("", query) * 5][1::2]
        middle, most = statistics.median(times), max(times)
        print(f"search {query!r}: {middle:.0f} ms (median of 5), {most:.0f} at most")


if __name__ == "__main__":
    main()
