"""Pages in a real browser that note what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hyperbaton.report import Contents, write_report
from tests.browser import Watched, Windows
from tests.report.compared import with_contests
from tests.report.sample import contents


class Opened(Watched):
    """A report in a window."""

    def figure(self, number: int) -> None:
        """Scroll to a figure and wait until it is drawn."""
        self.page.locator(f'.drawing[data-figure="{number}"]').scroll_into_view_if_needed()
        self.page.wait_for_selector(f'.drawing[data-figure="{number}"].drawn svg')

    def until(self, condition: str) -> None:
        """Wait until an expression is true; the page's policy forbids the browser to poll it."""
        for _ in range(300):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never true: {condition}")

    def explorer(self) -> None:
        """Scroll to the sentences and wait until they are listed."""
        self.page.locator("#sentences .explorer").scroll_into_view_if_needed()
        self.page.wait_for_selector("#x-list .row")


Open = Callable[..., Opened]


@pytest.fixture(scope="session")
def sample() -> Contents:
    """A small report."""
    return contents(400)


@pytest.fixture(scope="session")
def sample_file(sample: Contents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small report as a file."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(sample, path)
    return path


@pytest.fixture(scope="session")
def compared(sample: Contents) -> Contents:
    """The same with everything that a study of two systems says."""
    return with_contests(sample)


@pytest.fixture(scope="session")
def compared_file(compared: Contents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That as a file."""
    path = tmp_path_factory.mktemp("compared") / "report.html"
    write_report(compared, path)
    return path


@pytest.fixture
def open_page(windows: Windows) -> Open:
    """Open a file in a new window."""

    def opening(path: Path, width: int = 1280, height: int = 900, scheme: str = "light") -> Opened:
        link = path.as_uri()
        page = windows.open(link, width, height, scheme)
        page.set_default_timeout(120_000)
        opened = Opened(page)
        page.goto(link)
        return opened

    return opening
