"""A study and a translator whose workers die where a test has put a token for it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import Pair, Parse, Probe
from hyperbaton.studies.wordorder import WordOrder

__all__ = [
    "SYSTEM",
    "Mortal",
    "deaths",
    "kill_processes_of",
    "perhaps_die",
    "processes_of",
    "translate",
]

SYSTEM = "python:tests.pipeline.mortal:translate(batch=20)"
TOKENS = Path("deaths")


def deaths(where: str, times: int) -> None:
    """Have workers die so often at a stage; they work in the folder of the command."""
    TOKENS.mkdir(exist_ok=True)
    for number in range(times):
        (TOKENS / f"{where}-{number}").touch()


def perhaps_die(where: str) -> None:
    """Die if there is a token for this stage."""
    for token in TOKENS.glob(f"{where}-*"):
        try:
            token.unlink()
        except FileNotFoundError:
            continue
        # As the out-of-memory killer does it.
        os.kill(os.getpid(), signal.SIGKILL)


def translate(texts: Sequence[str]) -> list[str]:
    """Capital letters; slow where there is a file that says so."""
    perhaps_die("translating")
    if Path("slow").exists():
        time.sleep(0.05)
    return [text.upper() for text in texts]


@dataclass(frozen=True)
class Mortal(WordOrder):
    """The word-order study, whose probes may kill their maker."""

    name: ClassVar[str] = "mortal"

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        perhaps_die("probing")
        return super().probes(items, pair, parse)


def processes_of(ancestor: int) -> dict[int, str]:
    """All processes that come from one, by their command."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found: dict[int, str] = {}
    line = [ancestor]
    while line:
        children = [pid for pid, parent in parents.items() if parent in line]
        for pid in children:
            try:
                found[pid] = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
        line = children
    return found


def kill_processes_of(ancestor: int, name: str) -> list[int]:
    """Kill those of its processes whose program has this name."""
    killed = []
    for pid, words in processes_of(ancestor).items():
        if words.split("\0")[0].strip().rpartition("/")[2].startswith(name):
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
    return killed
