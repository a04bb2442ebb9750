"""Child processes, how they end, and what the machine gives them: cores and memory."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_hears = True
"""Whether Ctrl-C means anything to this process: not if who started it told it to ignore that."""
_PROC = Path("/proc")
_GROUP = Path("/sys/fs/cgroup")


class Children:
    """So many processes that take jobs.

    A terminal sends Ctrl-C to all of them. A child that works ends at once, one that starts or
    waits takes no notice: the parent ends it, and it alone says that the command was stopped.
    """

    def __init__(self, count: int, start: Literal["spawn", "fork"] = "spawn") -> None:
        # Spawned unless told otherwise: numerical libraries do not survive a fork in use.
        context = multiprocessing.get_context(start)
        # They look for garbage in cycles as seldom as this process does.
        garbage = gc.get_threshold()
        self._executor = ProcessPoolExecutor(count, context, _begin, garbage)

    def submit(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand a job over; a process may be started for it.

        Where one was killed, that is told by the result, as it is of the jobs under way.
        """
        try:
            with _deaf():
                return self._executor.submit(_interruptible, partial(job, *args, **kwargs))
        except BrokenProcessPool as error:
            lost: Future[T] = Future()
            lost.set_exception(error)
            return lost

    def close(self) -> None:
        """End the processes after the jobs that they have begun; the others are dropped."""
        self._executor.shutdown(cancel_futures=True)


@contextmanager
def _deaf() -> Iterator[None]:
    """Hold Ctrl-C back for a moment: who is born in it does not hear it before `_begin`."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(*garbage: int) -> None:
    """Set up a child before its first job."""
    gc.set_threshold(*garbage)
    global _hears
    _hears = signal.getsignal(signal.SIGINT) != signal.SIG_IGN
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    _follow_parent()


def _interruptible(job: Callable[[], T]) -> T:
    if not _hears:
        return job()
    # Not as an exception, which a long call of a library would hold back.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return job()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _follow_parent() -> None:
    """End this process with the one that started it, even if that one was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def end_process(process: subprocess.Popen[Any]) -> None:
    """Kill a program, and close the pipes to it, with what it did not read any more."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def cores() -> int:
    """The processors that this process may use, which a cluster or container may have limited."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def memory_free() -> int | None:
    """Bytes that may still be taken on this machine, or in this container; None if unknown."""
    limits = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = (_PROC / "meminfo").read_text().splitlines()
        limits += [
            int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")
        ]
    with contextlib.suppress(OSError, ValueError):  # "max" where there is no limit
        most, now = ((_GROUP / name).read_text() for name in ("memory.max", "memory.current"))
        limits.append(max(0, int(most) - int(now)))
    return min(limits, default=None)


def memory_in_use() -> int | None:
    """Bytes that this process and all its children take, shared pages counted once.

    None where the system does not tell.
    """
    if not (_PROC / "self" / "smaps_rollup").exists():
        return None
    total = 0
    for process in _family(os.getpid()):
        # One that has just ended takes no memory any more.
        with contextlib.suppress(OSError):
            total += _share(process)
    return total


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
