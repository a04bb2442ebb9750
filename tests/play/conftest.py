"""The page on this computer, started in a thread, and a browser that looks at it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hyperbaton.parsing.opening import open_parser
from hyperbaton.parsing.parser import Parser
from tests.browser import Watched, Windows
from tests.play import systems

if TYPE_CHECKING:
    from hyperbaton.play.desk import Desk

if find_spec("starlette") is None:  # these read modules that need the extra `play`
    collect_ignore = ["test_reports.py", "test_studies.py"]
GATED = "python:tests.play.systems:gated"
ROOT = Path(__file__).parents[2]
TOKEN = "t0ken"
SLOW = 120_000
"""Milliseconds that a browser waits for a state; a busy machine is not a slow page."""


@dataclass(frozen=True)
class Served:
    """A page that is being served."""

    port: int
    link: str
    runs: Path
    desks: Mapping[str, Desk]


Serve = Callable[..., Served]


@functools.cache
def opened(language: str, cache: bool) -> Parser:
    """A parser, loaded once for all pages."""
    return open_parser(language, cache=cache)


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serve a page with some systems until the end of the test."""
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    from hyperbaton.play.desk import Desk
    from hyperbaton.play.runs import Runs
    from hyperbaton.play.server import Playground, study_routes
    from hyperbaton.play.serving import listen, server_of

    monkeypatch.setattr("hyperbaton.play.sentences.open_parser", opened)
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    systems.LET_GO.clear()
    systems.SEEN.clear()
    ends = []

    def serving(*names: str, off: tuple[str, ...] = (), hosts: tuple[str, ...] = ()) -> Served:
        named = names or ("gloss",)
        runs = Runs(tmp_path / "runs", named)
        desks = {name: Desk(name) for name in named}
        play = Playground(desks, ("en", "de"), off, routes=study_routes(runs))
        at = listen(0)
        server = server_of(play, at, TOKEN, hosts)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [at]}, daemon=True)
        thread.start()

        def end() -> None:
            server.should_exit = True
            systems.LET_GO.set()
            thread.join(30)
            runs.close()

        ends.append(end)
        port = at.getsockname()[1]
        return Served(port, f"http://127.0.0.1:{port}/{TOKEN}/", tmp_path / "runs", desks)

    yield serving
    for end in ends:
        end()


class Looked(Watched):
    """The playground in a window."""

    def words(self) -> list[str]:
        """The words on the tiles, from left to right."""
        return self.page.locator(".tile > span").all_inner_texts()

    def state(self, system: str, state: str) -> None:
        """Wait until a system's card is in a state."""
        card = self.page.locator(f'.card[data-system="{system}"][data-state="{state}"]')
        card.wait_for(timeout=SLOW)

    def outcome(self, system: str = "gloss") -> str:
        """What became of the sentence, once the system has answered."""
        self.state(system, "answer")
        return self.page.locator(f'.card[data-system="{system}"] .outcome').inner_text()


Look = Callable[..., Looked]


@pytest.fixture
def look(windows: Windows) -> Look:
    """Open a page in a new window; a fragment may say what is on it."""

    def looking(
        link: str,
        *,
        width: int = 1280,
        height: int = 900,
        scheme: str = "light",
        locale: str = "en-GB",
        **more: Any,
    ) -> Looked:
        page = windows.open(link, width, height, scheme, locale=locale, **more)
        page.set_default_timeout(SLOW)
        looked = Looked(page)
        page.goto(link)
        page.locator("html[data-ready]").wait_for(state="attached")
        return looked

    return looking
