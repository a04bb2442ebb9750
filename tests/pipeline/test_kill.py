"""kill -9 at random moments: what is done stays, and the end is the same."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

from hyperbaton.pipeline import Pair, Run
from tests.cli.command import script
from tests.pipeline.small import FAKE, logged, parts

SCRIPT = """
import sys
from pathlib import Path
from hyperbaton.pipeline import execute
from tests.pipeline.small import corpus, job

if __name__ == "__main__":
    here, run, workers = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    settings = {"corpora": (corpus(150), corpus(90, "en-fr")), "part": 8, "workers": workers}
    execute(job(here, **settings), run)
"""
ROOT = Path(__file__).parents[2]
KILLS = 8
KINDS = {"probes", "measures", "outputs", "scores"}
"""Of parts, each of which some run is killed among."""


def _start(folder: Path, run: Path, pause: float, workers: int = 1) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        script(folder / "script.py", folder, run, str(workers)),
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}",
            "LOG": str(folder / "log"),
            "PAUSE": str(pause),
        },
        stderr=subprocess.PIPE,
    )


def _folder(path: Path) -> Path:
    path.mkdir()
    (path / "fake.py").write_text(FAKE)
    (path / "script.py").write_text(SCRIPT)
    return path


def _written(run: Path) -> int:
    """How many parts there are."""
    return sum(1 for _ in run.rglob("*.parquet"))


def test_killed_at_random_moments_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole, torn = _folder(tmp_path / "whole"), _folder(tmp_path / "torn")
    _, complaint = _start(whole, whole / "run", pause=0).communicate()
    assert complaint == b""
    expected = parts(whole / "run")
    rng = random.Random(7)
    killed_in: set[str] = set()
    seen = number = 0
    # On a slow machine a run gets less far before it is killed, so there are more of them.
    while number < KILLS or (killed_in < KINDS and number < 10 * KILLS):
        number += 1
        # A worker of its own takes a second to begin, so not every one has one.
        process = _start(torn, torn / "run", pause=0.005, workers=int(number % 4 == 0))
        before = _written(torn / "run")
        # Some are killed before they do anything, most once they are at work again.
        until = time.monotonic() + rng.choice([0.2, 60, 60, 60])
        while time.monotonic() < until and process.poll() is None:
            if _written(torn / "run") > before:
                time.sleep(rng.uniform(0, 0.3))
                break
            time.sleep(0.02)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "it was done before it could be killed"
        if (torn / "run" / "run.json").exists():
            assert not Run(torn / "run").complete
            assert Run(torn / "run").missing()
        there = parts(torn / "run")
        assert all(expected[name] == data for name, data in there.items())
        killed_in |= {name.split("/")[0] for name in there}
        assert len(there) >= seen
        seen = len(there)
    assert 0 < seen < len(expected)
    assert killed_in >= KINDS
    _, complaint = _start(torn, torn / "run", pause=0).communicate()
    assert complaint == b""
    assert parts(torn / "run") == expected
    assert not list((torn / "run").rglob("*.part"))
    one, other = Run(whole / "run"), Run(torn / "run")
    assert one.scores().equals(other.scores())
    assert set(logged(torn)) == set(logged(whole))
    assert other.record.progress == one.record.progress
    assert other.complete
    assert other.pairs == (Pair("en", "de"), Pair("en", "fr"))
