"""A search that is killed at any moment ends with the same cases and the same page."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from hyperbaton.corpus.starter import starter
from hyperbaton.search.cases import CASES
from hyperbaton.search.folder import DONE
from tests.cli.command import command

LONGEST = 900


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def search(folder: Path, name: str) -> list[str]:
    return command(
        *("break", "-l", "en-de", "--system", "gloss", "--parser", "plain", "--out", folder / name),
        *("--cache", folder / f"{name}-cache", "--budget", "30", folder / "some.en"),
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_search_that_is_killed_again_and_again_ends_with_the_same_cases(tmp_path: Path) -> None:
    texts = [item.source_text for item in starter("en")][:24]
    (tmp_path / "some.en").write_text("".join(f"{text}\n" for text in texts))
    subprocess.run(search(tmp_path, "whole"), check=True, capture_output=True, timeout=LONGEST)
    rng = random.Random(1)
    for _ in range(3):
        process = subprocess.Popen(
            search(tmp_path, "killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wanted = lines(tmp_path / "killed" / DONE) + rng.randrange(8)
        until = time.monotonic() + LONGEST
        while process.poll() is None and time.monotonic() < until:
            if lines(tmp_path / "killed" / DONE) > wanted:
                break
            time.sleep(0.002)
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.wait(timeout=LONGEST)
    subprocess.run(search(tmp_path, "killed"), check=True, capture_output=True, timeout=LONGEST)
    whole, killed = ((tmp_path / name / CASES).read_bytes() for name in ("whole", "killed"))
    assert whole == killed
    assert whole.count(b"\n") > 2
