"""Worker processes beside the translator: few jobs under way, so that memory stays flat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import Children

__all__ = ["Pool"]

P = ParamSpec("P")
_GLANCE = 0.5
"""Seconds between two looks at the limits of a run, while it waits."""


class Pool:
    """Runs jobs in so many processes, or in this one when there are none."""

    def __init__(self, workers: int, check: Callable[[], None]) -> None:
        """What `check` raises ends a wait for jobs."""
        self.workers = workers
        self._check = check
        self._limit = 2 * workers
        self._waiting: deque[tuple[Future[None], Callable[[], None]]] = deque()
        self._children = Children(workers) if workers else None

    def submit(
        self, done: Callable[[], None], job: Callable[P, None], *args: P.args, **kwargs: P.kwargs
    ) -> Future[None]:
        """Hand a job over, waiting while too many are under way; `done` is called at its end."""
        if self._children is None:
            future: Future[None] = Future()
            job(*args, **kwargs)
            future.set_result(None)
            done()
            return future
        while len(self._waiting) >= self._limit:
            self._finish_first()
        future = self._children.submit(job, *args, **kwargs)
        self._waiting.append((future, done))
        return future

    def finish(self, future: Future[None]) -> None:
        """Wait for one job."""
        while not future.done() or any(future is waiting for waiting, _ in self._waiting):
            self._finish_first()

    def drain(self) -> None:
        """Wait for all jobs."""
        while self._waiting:
            self._finish_first()

    def _finish_first(self) -> None:
        future, done = self._waiting.popleft()
        while not wait([future], timeout=_GLANCE).done:
            self._check()
        try:
            future.result()
        except BrokenProcessPool:
            raise HyperbatonError(
                "a worker process was killed, often because memory ran out: "
                "run the same command again with fewer --workers, which resumes the run"
            ) from None
        done()

    def close(self) -> None:
        """End the processes; jobs that have not begun are dropped."""
        if self._children is not None:
            self._children.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
