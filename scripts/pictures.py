"""The pictures of README and docs: a report, the playground, and a word that is dragged.

    python scripts/pictures.py [RUN]

The report is that of a run, or of `hyperbaton demo`. Needs Chromium, Playwright and Pillow.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Page

DOCS = Path(__file__).parents[1] / "docs"
SENTENCE = (
    "#l=en-de&s=The+old+baker+opens+his+shop+early."
    "&r=Der+alte+B%C3%A4cker+%C3%B6ffnet+seinen+Laden+fr%C3%BCh."
)
SYSTEMS = ("bundled", "gloss")
WIDTH = 1100
FRAME, REST = 90, 1600
"""Milliseconds that a frame of a move stays, and the state between two moves."""


def main() -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with reported() as report, served() as link, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 1140})
        page.goto(report.resolve().as_uri())
        page.locator(".answers svg").first.wait_for()
        page.screenshot(path=DOCS / "report.png")
        page = browser.new_page(viewport={"width": WIDTH, "height": 960})
        page.goto(link + SENTENCE + "&o=3.0.1.2.4.5.6.7")
        settle(page)
        page.screenshot(path=DOCS / "playground.png")
        page.goto("about:blank")
        page.goto(link + SENTENCE)
        settle(page)
        write(list(frames(page)), DOCS / "playground.webp")
        browser.close()
    for name in ("report.png", "playground.png", "playground.webp"):
        print(f"{name}: {(DOCS / name).stat().st_size / 1000:.0f} kB")


@contextmanager
def reported() -> Iterator[Path]:
    """The report of the run that is named, or of a new demo."""
    if sys.argv[1:]:
        yield Path(sys.argv[1]) / "report.html"
        return
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "hyperbaton", "demo", "--no-open", "--out", folder]
        subprocess.run(words, check=True)
        yield Path(folder) / "report.html"


@contextmanager
def served() -> Iterator[str]:
    """The page, with a store of its own."""
    named = [word for system in SYSTEMS for word in ("--system", system)]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "hyperbaton", "play", "--no-open", *named],
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "HYPERBATON_CACHE": folder},
        )
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def settle(page: Page) -> None:
    """Wait until every system has answered, and its outcome is known."""
    for system in SYSTEMS:
        card = f'.card[data-system="{system}"][data-state="answer"]'
        page.locator(f"{card} .outcome:not(:empty)").wait_for(timeout=120_000)


def frames(page: Page) -> Iterator[tuple[bytes, int]]:
    """Screenshots while words are dragged, each with its time."""
    yield page.screenshot(), REST
    for start, end in ((3, 0), (6, 2), (1, 5)):
        left, right = middle(page, start), middle(page, end)
        target = right[0] + (14 if end > start else -14)
        page.mouse.move(*left)
        page.mouse.down()
        for step in range(1, 9):
            page.mouse.move(left[0] + (target - left[0]) * step / 8, left[1])
            settle(page)
            yield page.screenshot(), FRAME
        page.mouse.up()
        settle(page)
        yield page.screenshot(), REST


def middle(page: Page, place: int) -> tuple[float, float]:
    """The middle of the tile at a place."""
    box = page.locator(".tile").nth(place).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def write(shots: list[tuple[bytes, int]], path: Path) -> None:
    """One animation of all screenshots, at three quarters of their size."""
    pictures = []
    for shot, _ in shots:
        picture = Image.open(io.BytesIO(shot)).convert("RGB")
        size = (picture.width * 3 // 4, picture.height * 3 // 4)
        pictures.append(picture.resize(size, Image.Resampling.LANCZOS))
    pictures[0].save(
        path,
        save_all=True,
        append_images=pictures[1:],
        duration=[time for _, time in shots],
        loop=0,
        quality=70,
        method=4,
    )


if __name__ == "__main__":
    main()
