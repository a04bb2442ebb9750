"""How quick the playground is: from the command to the page, and from a move to its translation.

    python benchmarks/play.py [--system SYSTEM]

Needs Chromium and Playwright. The page is opened by a new process with an empty store, so that
every order is translated; then a word is moved 50 times, each move after the answer to the last;
then 100 moves are made at 20 a second. An answer is stale when it is shown for another order than
the one on the tiles.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOVES = 50
RAPID, EACH_SECOND = 100, 20
SENTENCE = "#l=en-de&s=The+old+woman+sold+her+house+last+summer."
WATCH = """(system) => {
  const card = document.querySelector(`.card[data-system="${system}"]`);
  window.seen = { answers: 0, stale: 0, at: 0 };
  new MutationObserver(() => {
    if (card.dataset.state !== "answer") return;
    const shown = card.querySelectorAll(".block:first-child .word");
    const given = [...shown].map((word) => word.textContent);
    const tiles = [...document.querySelectorAll(".tile > span")].map((word) => word.textContent);
    window.seen.answers++;
    window.seen.at = performance.now();
    if (given.join(" ") !== tiles.join(" ")) window.seen.stale++;
  }).observe(card, { attributes: true, attributeFilter: ["data-state"] });
}"""
MOVE = """async (system) => {
  const card = document.querySelector(`.card[data-system="${system}"]`);
  const tile = document.activeElement;
  const last = tile.parentElement.matches(":nth-last-child(2)");
  const began = performance.now();
  const key = last ? "Home" : "ArrowRight";
  tile.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
  while (window.seen.at < began) await new Promise((resolve) => setTimeout(resolve, 1));
  return window.seen.at - began;
}"""
RAPIDLY = """async ([moves, pause]) => {
  for (let move = 0; move < moves; move++) {
    const tile = document.activeElement;
    const key = tile.parentElement.matches(":nth-last-child(2)") ? "Home" : "ArrowRight";
    tile.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return performance.now();
}"""


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="bundled")
    system = parser.parse_args().system
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        measured(browser.new_page(), system)
        browser.close()


def measured(page: Page, system: str) -> None:
    """Start the command and open its page in a browser that is there already."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HYPERBATON_CACHE": folder}
        command = [sys.executable, "-m", "hyperbaton", "play", "--no-open", "--system", system]
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        try:
            link = process.stdout.readline().strip()
            print(f"link printed after {time.perf_counter() - began:.2f} s")
            page.goto(link)
            page.locator(".tile").first.wait_for()
            print(f"page open after {time.perf_counter() - began:.2f} s")
            page.locator(f'.card[data-system="{system}"][data-state="answer"]').wait_for()
            print(f"first translation after {time.perf_counter() - began:.2f} s")
            moves(page, link, system)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def moves(page: Page, link: str, system: str) -> None:
    """The time of single moves, then many of them at once."""
    page.goto(link + SENTENCE)
    page.reload()
    page.locator(f'.card[data-system="{system}"][data-state="answer"]').wait_for()
    page.locator(".tile").first.focus()
    page.evaluate(WATCH, system)
    times = [page.evaluate(MOVE, system) for _ in range(MOVES)]
    ordered = sorted(times)
    print(
        f"a move to its translation: median {statistics.median(times):.0f} ms, "
        f"95 % within {ordered[int(0.95 * MOVES)]:.0f} ms ({MOVES} moves)"
    )
    before = page.evaluate("window.seen.answers")
    end = page.evaluate(RAPIDLY, [RAPID, 1000 / EACH_SECOND])
    page.locator(f'.card[data-system="{system}"][data-state="answer"]').wait_for()
    seen = page.evaluate("window.seen")
    print(
        f"{RAPID} moves at {EACH_SECOND} a second: {seen['answers'] - before} answers shown, "
        f"{seen['stale']} stale, the last {max(0, seen['at'] - end):.0f} ms after the last pause"
    )


if __name__ == "__main__":
    main()
