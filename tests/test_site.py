"""The site answers the common questions by its search: the first result leads to the answer."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import pytest

from tests.test_documentation import DOCS, ROOT, anchor, headings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.skipif(not DOCS.is_dir(), reason="not in a checkout"),
    pytest.mark.skipif(
        importlib.util.find_spec("material") is None, reason="pip install 'hyperbaton[docs]'"
    ),
]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, built and served."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def test_the_search_answers_every_common_question(site: str, browser: Browser) -> None:
    page = browser.new_page()
    page.set_default_timeout(120_000)
    wrong = {}
    for question in headings("questions.md")[1:]:
        typed = question.replace('"', "")
        page.goto(f"{site}?q={quote_plus(typed)}")
        found = page.locator(".md-search-result__link")
        found.nth(1).wait_for(state="attached")
        # The first link is that of the page, the second that of the section which fits best.
        link = found.nth(1).get_attribute("href") or ""
        if Path(link.partition("?")[0]).name != "questions" or not link.endswith(anchor(question)):
            wrong[question] = link
    page.close()
    assert not wrong
