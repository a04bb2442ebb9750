"""Worker processes beside the translator: few jobs under way, so that memory stays flat."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import ParamSpec

from hyperbaton.errors import HyperbatonError

__all__ = ["Pool", "follow_parent"]

P = ParamSpec("P")


class Pool:
    """Runs jobs in so many processes, or in this one when there are none."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._limit = 2 * workers
        self._waiting: deque[tuple[Future[None], Callable[[], None]]] = deque()
        self._executor: ProcessPoolExecutor | None = None
        if workers:
            # Spawned, since numerical libraries do not survive a fork in use.
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(workers, context, initializer=follow_parent)

    def submit(
        self, done: Callable[[], None], job: Callable[P, None], *args: P.args, **kwargs: P.kwargs
    ) -> Future[None]:
        """Hand a job over, waiting while too many are under way; `done` is called at its end."""
        if self._executor is None:
            future: Future[None] = Future()
            job(*args, **kwargs)
            future.set_result(None)
            done()
            return future
        while len(self._waiting) >= self._limit:
            self._finish_first()
        future = self._executor.submit(job, *args, **kwargs)
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
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def follow_parent() -> None:
    """End this process with the one that started it, even if that one was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
