"""Who works beside the systems: processes that vary texts, and threads that judge answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import Children, cores
from hyperbaton.pipeline.stages.varying import Made, Variation, vary

__all__ = ["Judges", "varied"]

T = TypeVar("T")
_FEW = 100_000
"""Texts that one process varies sooner than others start."""


def varied(
    jobs: Iterable[T], variation: Callable[[T], Variation], texts: int, workers: int | None
) -> Iterator[tuple[T, Made]]:
    """Each job with what was made of it, in order, a few ahead of the one that takes them."""
    if workers is None:
        workers = 0 if texts < _FEW else max(1, cores() - 1)
    if not workers:
        for job in jobs:
            yield job, vary(variation(job))
        return
    children = Children(workers)
    ahead: deque[tuple[T, Future[Made]]] = deque()
    try:
        for job in jobs:
            ahead.append((job, children.submit(vary, variation(job))))
            if len(ahead) > 2 * workers:
                yield _finished(*ahead.popleft())
        while ahead:
            yield _finished(*ahead.popleft())
    finally:
        children.close()


def _finished(job: T, made: Future[Made]) -> tuple[T, Made]:
    try:
        return job, made.result()
    except BrokenProcessPool:
        raise HyperbatonError(
            "a worker process was killed, often because memory ran out: "
            "run the same command again with fewer --workers, which resumes the run"
        ) from None


class Judges:
    """A few threads; matrix products leave Python's lock to others."""

    def __init__(self) -> None:
        threads = min(4, cores())
        self._threads = ThreadPoolExecutor(threads)
        self._most = threads + 2
        self._waiting: deque[Future[None]] = deque()

    def submit(self, judge: Callable[[], None]) -> None:
        """Hand it over, waiting while too much is under way."""
        while len(self._waiting) >= self._most:
            self._waiting.popleft().result()
        self._waiting.append(self._threads.submit(judge))

    def __enter__(self) -> Judges:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            while self._waiting and kind is None:
                self._waiting.popleft().result()
        finally:
            self._threads.shutdown(cancel_futures=True)
