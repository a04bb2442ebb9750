"""A real browser, opened once for all rooms: Playwright allows one in a process."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page

__all__ = ["Watched", "Windows", "all_windows", "browser", "windows"]

_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, or a skip where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="pip install 'hyperbaton[test-pages]'")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no chromium on this machine")
    with api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium, args=_ARGUMENTS)
        yield made
        made.close()


@dataclass
class Windows:
    """Windows of one kind share a process, which takes longer to start than a page to load."""

    browser: Browser
    kinds: dict[str, BrowserContext] = field(default_factory=dict)

    def open(self, link: str, width: int, height: int, scheme: str, **options: Any) -> Page:
        """A new window that is about to go to a link; its options are those of a context."""
        kind = repr(sorted(options.items()))
        if kind not in self.kinds:
            self.kinds[kind] = self.browser.new_context(
                accept_downloads=True, reduced_motion="reduce", **options
            )
            # An empty page at the same place stays, and with it the process.
            first = self.kinds[kind].new_page()
            first.route("**/*", lambda route: route.fulfill(body=""))
            first.goto(link)
        page = self.kinds[kind].new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        return page

    def close(self) -> None:
        """Close them, and forget what they stored and were allowed."""
        from playwright.sync_api import Error

        for context in self.kinds.values():
            _, *pages = context.pages
            for page in pages:
                with suppress(Error):
                    page.evaluate("localStorage.clear()")
                page.close()
            context.clear_permissions()


@pytest.fixture(scope="session")
def all_windows(browser: Browser) -> Windows:
    """The windows of the whole session."""
    return Windows(browser)


@pytest.fixture
def windows(all_windows: Windows) -> Iterator[Windows]:
    """Windows that are closed at the end of the test."""
    yield all_windows
    all_windows.close()


@dataclass
class Watched:
    """A page with every complaint, every request and every dialog."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on(
            "console", lambda m: self.complaints.append(m.text) if m.type == "error" else None
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", self._note)

    def _note(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()
