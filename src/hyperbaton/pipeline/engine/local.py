"""The engine of one machine: processes that make parts beside one system that stays open."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from functools import partial
from typing import Any

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import Children
from hyperbaton.pipeline.engine.budgets import Till, Watch
from hyperbaton.pipeline.engine.progress import Board
from hyperbaton.pipeline.engine.stages import Lane, Plan, Resident, Schedule, Task
from hyperbaton.systems.store.store import Store, working_store

__all__ = ["Pool", "execute_here"]

_GLANCE = 0.5
"""Seconds between two looks at the limits of a run, while it waits."""


class Pool:
    """So many processes with few tasks under way, so that memory stays flat.

    Without any, a task is done in this one when it is waited for.
    """

    def __init__(self, workers: int, check: Callable[[], None]) -> None:
        """What `check` raises ends a wait for tasks."""
        self.workers = workers
        self._check = check
        self._waiting: deque[tuple[Task, Future[Any]]] = deque()
        self._children = Children(workers) if workers else None

    @property
    def has_room(self) -> bool:
        """Whether one more task may be submitted."""
        return len(self._waiting) < max(1, 2 * self.workers)

    def submit(self, task: Task) -> None:
        """Hand a task over."""
        function, arguments = task.work
        if self._children is not None:
            self._waiting.append((task, self._children.submit(function, *arguments)))
            return
        future: Future[Any] = Future()
        future.set_result(function(*arguments))
        self._waiting.append((task, future))

    def finished(self, block: bool) -> list[tuple[Task, object]]:
        """The tasks that are done, with their values; `block` waits for the first."""
        done: list[tuple[Task, object]] = []
        while self._waiting and (self._waiting[0][1].done() or (block and not done)):
            task, future = self._waiting.popleft()
            while not wait([future], timeout=_GLANCE).done:
                self._check()
            try:
                done.append((task, future.result()))
            except BrokenProcessPool:
                raise HyperbatonError(
                    "a worker process was killed, often because memory ran out: "
                    "run the same command again with fewer --workers, which resumes the run"
                ) from None
        return done

    def close(self) -> None:
        """End the processes; tasks that have not begun are dropped."""
        if self._children is not None:
            self._children.close()


def execute_here(plan: Plan, watch: Watch) -> None:
    """Do what is not yet done of a plan."""
    options = plan.job.options
    with ExitStack() as stack:
        stored = options.cached and plan.stores
        store = stack.enter_context(working_store(options.cache)) if stored else None
        parts = sum(plan.record.progress[str(corpus.pair)].parts for corpus in plan.job.corpora)
        pool = stack.enter_context(closing(Pool(options.workers_for(parts), watch.check)))
        board = stack.enter_context(Board(plan.totals))
        till = stack.enter_context(closing(Till(plan.layout, options, watch)))
        stack.enter_context(closing(_Work(plan, store, pool, board, till))).run()


class _Work:
    """One run: the lanes one after the other, and tasks beside them."""

    def __init__(
        self, plan: Plan, store: Store | None, pool: Pool, board: Board, till: Till
    ) -> None:
        self._plan, self._store = plan, store
        self._pool, self._board, self._till = pool, board, till
        self._schedule = Schedule(plan, board)
        self._open: dict[str, Resident] = {}

    def run(self) -> None:
        """Everything, from the corpora to the last score."""
        if self._plan.introduces:
            for lane in self._plan.lanes:
                self._resident(lane)
        for lane in self._plan.lanes:
            while not lane.over:
                self._till.watch.check()
                if self._pool.workers or not self._can_answer(lane):
                    self._hand_out()
                if self._can_answer(lane):
                    self._answer(lane)
                    self._settle(block=False)
                elif not self._settle(block=True):
                    raise RuntimeError(f"{lane.name}: nothing is left to do, and not all is done")
            self._end(lane)
        self._hand_out()
        while self._settle(block=True):
            self._till.watch.check()
            self._hand_out()

    def _can_answer(self, lane: Lane) -> bool:
        # Without processes beside it, what can be made of a part is made at once.
        return bool(lane.ready) and (self._pool.workers > 0 or not self._schedule.waiting)

    def _hand_out(self) -> None:
        """Keep processes busy, and not more than that: what waits there takes memory."""
        while self._pool.has_room:
            task = self._schedule.next()
            if task is None:
                break
            self._pool.submit(task)

    def _settle(self, block: bool) -> bool:
        """Enter what is done; whether there was anything."""
        done = self._pool.finished(block)
        for task, value in done:
            self._schedule.finished(task, value)
        return bool(done)

    def _answer(self, lane: Lane) -> None:
        """Have an open system make a part."""
        resident, key = self._resident(lane), lane.ready.popleft()
        bar = partial(self._board.share, self._schedule.answering.name, self._plan.size(key))
        resident.make(self._plan.given(key), bar)
        self._schedule.answered(key, told=True)

    def _resident(self, lane: Lane) -> Resident:
        if lane.name not in self._open:
            resident = self._open[lane.name] = self._plan.resident(lane)
            before = partial(self._till.before, lane.system)
            self._plan.signed(lane, resident.sign(self._store, before))
        return self._open[lane.name]

    def _end(self, lane: Lane) -> None:
        resident = self._open.pop(lane.name, None)
        if resident is not None:
            resident.close()

    def close(self) -> None:
        """Give back what is open."""
        while self._open:
            self._open.popitem()[1].close()
