"""What the machine gives to a process and its children: processors, and memory in use."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["cores", "memory_free", "memory_in_use"]

_PROC = Path("/proc")
_GROUP = Path("/sys/fs/cgroup")


def cores() -> int:
    """The processors that this process may use, which a cluster or container may have limited."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def memory_free() -> int | None:
    """Bytes that may still be taken on this machine, or in this container; None if unknown."""
    found = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = (_PROC / "meminfo").read_text().splitlines()
        found += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    with contextlib.suppress(OSError, ValueError):  # "max" where there is no limit
        most, now = ((_GROUP / name).read_text() for name in ("memory.max", "memory.current"))
        found.append(max(0, int(most) - int(now)))
    return min(found, default=None)


def memory_in_use() -> int | None:
    """Bytes that this process and all its children take, shared pages counted once.

    None where the system does not tell.
    """
    if not (_PROC / "self" / "smaps_rollup").exists():
        return None
    found = 0
    for process in _family(os.getpid()):
        # One that has just ended takes no memory any more.
        with contextlib.suppress(OSError):
            found += _share(process)
    return found


def _share(process: int) -> int:
    for line in (_PROC / str(process) / "smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _family(process: int) -> Iterator[int]:
    """A process and whatever it has started."""
    yield process
    for file in (_PROC / str(process) / "task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in file.read_text().split():
                yield from _family(int(child))
