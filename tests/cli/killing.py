"""A study of two pairs and two systems through the command line, killed again and again."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli.command import command

MATRIX = """\
systems = ["copy", "cmd:tr a-z b-za"]
metrics = ["chrF", "Levenshtein"]
perturbations = ["reversed", "wordShuffle"]
[[corpus]]
languages = "en-de"
source = "in.en"
reference = "in.de"
[[corpus]]
languages = "en-fr"
source = "in.en"
reference = "in.fr"
"""
STUDY = ("wordorder", "--config", "matrix.toml", "--out", "run", "--parser", "plain")
WORDS = ("the", "old", "cat", "sleeps", "near", "a", "warm", "stove", "all", "day")
_WHEN = re.compile(rb"<dt>(finished|duration)</dt><dd>[^<]*</dd>")
LONGEST = 900
"""Seconds after which a command counts as hanging."""


@dataclass
class Killed:
    """What was seen: how `check` ended after each kill, and in which state the run was."""

    kills: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    whole: int = 0
    """Runs that were brought to their end."""


@dataclass(frozen=True)
class Setting:
    """A folder with the matrix and its texts, and how the study is run there."""

    folder: Path
    items: int
    workers: int
    engine: str = "local"

    def __post_init__(self) -> None:
        self.folder.mkdir()
        (self.folder / "matrix.toml").write_text(MATRIX)
        for language in ("en", "de", "fr"):
            lines = [_line(number, language) for number in range(self.items)]
            (self.folder / f"in.{language}").write_text("\n".join(lines) + "\n")

    def start(self) -> subprocess.Popen[bytes]:
        """The study, begun or resumed."""
        return subprocess.Popen(
            command(*STUDY, "--workers", str(self.workers), "--engine", self.engine),
            cwd=self.folder,
            env={**os.environ, "HYPERBATON_CACHE": str(self.folder / "cache")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def finish(self) -> dict[str, bytes]:
        """Take the study to its end, without a word of complaint; the files of the run."""
        process = self.start()
        _, complaint = process.communicate(timeout=LONGEST)
        assert (process.returncode, complaint) == (0, b""), (process.returncode, complaint)
        assert self.check().returncode == 0
        assert not list((self.folder / "run").rglob(".*.part"))
        return self.files()

    def check(self) -> subprocess.CompletedProcess[str]:
        """The gate on what there is."""
        return subprocess.run(
            command("check", "run", "--min", "beta1=0"),
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )

    def written(self) -> int:
        """How many files the run has."""
        return sum(path.is_file() for path in (self.folder / "run").rglob("[!.]*"))

    def files(self) -> dict[str, bytes]:
        """Every file of the run; a name with a dot before it is a lock, or not finished.

        The report says when the run was made and how long that took, which is another time.
        """
        run = self.folder / "run"
        found = {}
        for path in sorted(run.rglob("[!.]*")):
            with contextlib.suppress(FileNotFoundError, IsADirectoryError):
                found[str(path.relative_to(run))] = _WHEN.sub(b"", path.read_bytes())
        return found


def _line(number: int, language: str) -> str:
    return " ".join([f"{language}{number}", *WORDS[: 5 + number % 5]]) + "."


def killed(
    place: Path, kills: int, *, seed: int, items: int, workers: int, engine: str = "local"
) -> Iterator[Killed]:
    """Kill the study so often, `check` after each kill, and compare every run at its end.

    A run that is whole before the kills are used up is followed by a new one.
    """
    rng = random.Random(seed)
    expected = Setting(place / "whole", items, workers, engine).finish()
    seen = Killed()
    torn = Setting(place / "torn", items, workers, engine)
    while seen.kills < kills:
        process = torn.start()
        _wait(process, torn, rng)
        process.kill()
        _, complaint = process.communicate(timeout=LONGEST)
        there = torn.files()
        if process.returncode == -signal.SIGKILL:
            seen.kills += 1
            _judge(torn.check(), there, expected, seen)
            yield seen
        else:
            assert (process.returncode, complaint) == (0, b""), (process.returncode, complaint)
        if there == expected or seen.kills == kills:
            assert torn.finish() == expected
            seen.whole += 1
            shutil.rmtree(torn.folder)
            torn = Setting(torn.folder, items, workers, engine)
    yield seen


def _wait(process: subprocess.Popen[bytes], torn: Setting, rng: random.Random) -> None:
    """Until so many further files are there, and then a moment more; or until it has ended."""
    wanted = torn.written() + rng.choice([0, 1, 1, 2, 3, 5, 8])
    while process.poll() is None and torn.written() < wanted:
        time.sleep(0.02)
    time.sleep(rng.choice([0, 0, 0.01, 0.1, 0.5]))


def _judge(
    gate: subprocess.CompletedProcess[str],
    there: dict[str, bytes],
    expected: dict[str, bytes],
    seen: Killed,
) -> None:
    seen.statuses[gate.returncode] += 1
    parts = {name: data for name, data in there.items() if name.endswith(".parquet")}
    assert parts.items() <= expected.items()
    whole = all(name in there for name in expected if name != "report.html")
    seen.states[_state(there, expected)] += 1
    assert gate.returncode == (0 if whole else 2), gate.stderr
    if not whole:
        assert gate.stdout == ""
        assert gate.stderr.count("\n") == 1


def _state(there: dict[str, bytes], expected: dict[str, bytes]) -> str:
    if not there:
        return "nothing written"
    if "report.html" in there:
        return "whole"
    missing = [name for name in expected if name not in there]
    if missing == ["report.html"]:
        return "no report"
    return "within en-fr" if any("en-fr" in name for name in there) else "within en-de"
