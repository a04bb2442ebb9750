"""Run generated command lines as a user would, and count how they end.

    python -m benchmarks.fuzz_commands --count 1000
    python -m benchmarks.fuzz_commands --count 1000 --inside
    python -m benchmarks.fuzz_commands --count 300 --inside --verb train

Each line runs in a process of its own, in a folder with hostile files; some with closed streams, a
full device or a plain locale. Ends with status 1 when a line shows a traceback, takes more
processor time than the limit (or twelve times as long by the clock), ends by a signal, or with a
status other than 0, 1 and 2 (141 where its reader left). `--inside` runs all lines in one process
and one folder instead, without redirections: many times as fast.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hyperbaton.cli.main import main as main_of_hyperbaton
from tests.cli.hostile import command_lines, lay_out

ENDINGS = ("", "", "", "", " >&-", " 2>&-", " <&-", " > /dev/full", " | true", " | head -c 10")
LOCALES: tuple[dict[str, str], ...] = (
    {},
    {},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
)


@dataclass(frozen=True)
class Ending:
    """How one command line ended."""

    line: str
    status: int | str
    error: str

    @property
    def fault(self) -> str:
        """What is wrong with it, empty when nothing is."""
        if self.status in ("hang", 128 + signal.SIGXCPU, 128 + signal.SIGKILL):
            return "hang"
        if "Traceback (most recent call last)" in self.error:
            return "traceback"
        if "probably a bug" in self.error:
            return "unexpected"
        if self.status not in (0, 1, 2, 141):
            return f"status {self.status}"
        return ""


def run(number: int, words: list[str], seed: int, limit: int) -> Ending:
    """Run one line in a new folder."""
    rng = random.Random(f"{seed} {number}")
    ending, locale = rng.choice(ENDINGS), rng.choice(LOCALES)
    # An argument of a process cannot hold the byte 0.
    words = [word.replace("\x00", "\N{REPLACEMENT CHARACTER}") for word in words]
    line = shlex.join([sys.executable, "-m", "hyperbaton", *words])
    script = f"set -o pipefail; {line}{ending}"
    with tempfile.TemporaryDirectory(prefix="hyperbaton-fuzz-") as folder:
        lay_out(Path(folder))
        environment = {
            **os.environ,
            **locale,
            "HYPERBATON_CACHE": f"{folder}/cache",
            "BROWSER": "true",
        }
        try:
            done = subprocess.run(
                [
                    "bash",
                    "-c",
                    script.encode("utf-8", "surrogateescape" if _bytes(script) else "replace"),
                ],
                cwd=folder,
                env=environment,
                input=b"Tom goes home.\n",
                capture_output=True,
                timeout=12 * limit,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            return Ending(script, "hang", (error.stderr or b"").decode(errors="replace"))
    return Ending(script, done.returncode, done.stderr.decode(errors="replace"))


def inside(words: list[str], limit: int) -> Ending:
    """Run one line in this process and the current folder."""
    line = shlex.join(words)
    given = io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"Tom goes home.\n")))
    said, error = io.BytesIO(), io.BytesIO()
    kept = sys.stdin, sys.stdout, sys.stderr
    began = time.process_time()
    sys.stdin, sys.stdout, sys.stderr = given, io.TextIOWrapper(said), io.TextIOWrapper(error)
    try:
        status: int | str = main_of_hyperbaton(words)
    except BaseException as raised:
        status = f"{type(raised).__name__}: {raised}"
    finally:
        sys.stderr.flush()
        told = error.getvalue().decode(errors="replace")
        sys.stdin, sys.stdout, sys.stderr = kept
    if time.process_time() - began > limit:
        status = "hang"
    return Ending(line, status, told)


def _all_inside(lines: Iterable[list[str]], limit: int) -> Iterator[Ending]:
    with tempfile.TemporaryDirectory(prefix="hyperbaton-fuzz-") as top:
        folder = Path(top, "deep", "er")  # so that what is written above it is seen
        folder.mkdir(parents=True)
        lay_out(folder)
        os.chdir(folder)
        os.environ |= {"HYPERBATON_CACHE": f"{folder}/cache", "BROWSER": "true"}
        for words in lines:
            yield inside(words, limit)
        assert os.listdir(top) == ["deep"]
        assert os.listdir(folder.parent) == ["er"]
        os.chdir("/")


def _bytes(text: str) -> bool:
    """Whether lone surrogates in it stand for bytes."""
    return not any("\ud800" <= mark < "\udc80" for mark in text)


def main() -> int:
    """Run all lines, print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=10, help="processor seconds for one line")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--inside", action="store_true", help="in this process: fast")
    parser.add_argument("--verb", help="only lines that begin with this one")
    args = parser.parse_args()
    endless = command_lines(sys.maxsize, args.seed)
    lines = islice((line for line in endless if args.verb in (None, line[0])), args.count)
    if args.inside:
        endings = list(_all_inside(lines, args.limit))
    else:
        with ThreadPoolExecutor(args.jobs) as pool:
            endings = list(
                pool.map(lambda p: run(p[0], p[1], args.seed, args.limit), enumerate(lines))
            )
    for status, count in sorted(Counter(str(ending.status) for ending in endings).items()):
        print(f"status {status:<5} {count}")
    wrong = [ending for ending in endings if ending.fault]
    print(f"wrong        {len(wrong)} of {len(endings)}")
    for ending in wrong:
        print(f"{ending.fault}: {ending.line[:300]}\n    {ending.error[-400:].strip()}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
