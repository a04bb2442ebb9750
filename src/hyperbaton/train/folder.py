"""The folder of a training: one process at a time, and nothing left of one that was killed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_text

__all__ = ["alone", "cut_log"]

_HALF_WRITTEN = re.compile(r"\.tmp[A-Za-z0-9]{6}")
"""What safetensors writes to before it renames the file."""


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Keep other trainings out of a folder, and remove what a killed one left half-written."""
    out.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(out / ".lock", timeout=0):
            for name in ("checkpoints", "model"):
                for path in (out / name).glob(".tmp*"):
                    if _HALF_WRITTEN.fullmatch(path.name):
                        path.unlink(missing_ok=True)
            yield
    except Timeout:
        raise HyperbatonError(
            f"Another process is training in {out}: wait for it, or choose another folder with "
            "--out"
        ) from None


def cut_log(path: Path, step: int) -> None:
    """Leave only the lines up to a step in a log: training goes on from there, and says the rest.

    A line that a killed process wrote half goes too.
    """
    if not path.exists():
        return
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    kept = [line for line in lines if 0 < _step(line) <= step]
    if kept != lines:
        write_text(path, "".join(f"{line}\n" for line in kept))


def _step(line: str) -> int:
    """The step of a line; 0 where it is none."""
    try:
        row = json.loads(line)
    except ValueError:
        return 0
    step = row.get("step") if isinstance(row, dict) else None
    return step if isinstance(step, int) else 0
