"""Executing a job: on this machine, by processes beside one open system; on Ray, by its driver."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import Children
from hyperbaton.base.progress import Board
from hyperbaton.pipeline.engine.budgets import Till, Watch
from hyperbaton.pipeline.engine.planning import ProbePlan, started
from hyperbaton.pipeline.engine.stages import Lane, Plan, Resident, Schedule, Task
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.options import Ray
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.locking import alone, one_sentence
from hyperbaton.pipeline.run.record import Record
from hyperbaton.pipeline.run.results import Run
from hyperbaton.systems.store.store import Store, working_store
from hyperbaton.systems.system import OtherTerms

MakePlan = Callable[[Job, Layout, Record], Plan]


def execute(job: Job, folder: Path, plan_of: MakePlan = ProbePlan, parts: int | None = None) -> Run:
    """Do what is not yet done of a job in a run directory, and open what is there.

    In a folder that holds a run already, what failed is asked for again, and nothing else is.
    Another plan than that of probes says how many `parts` a system has in each pair.
    """
    watch = Watch(job.options)
    job = job.normalised()
    engine = job.options.engine
    layout = Layout(folder)
    with one_sentence(), alone(folder):
        # A second run of the same command is how a user asks for what an outage left open.
        retry = job.options.retry_failed or layout.record.exists()
        job = replace(job, options=replace(job.options, retry_failed=retry))
        record = started(job, layout, parts)
        if isinstance(engine, Ray):
            from hyperbaton.pipeline.engine.ray.driver import execute_on_ray

            plan = plan_of(job, layout.absolute(), record)
            execute_on_ray(plan, engine, watch)
        else:
            plan = plan_of(job, layout, record)
            execute_here(plan, watch)
    return Run(folder, record=plan.record)


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
        board = stack.enter_context(closing(Board(plan.totals)))
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
            self._close(lane.name)
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
        while True:
            try:
                resident.make(self._plan.given(key), bar)
                break
            except OtherTerms:
                # Nothing was answered under the signature that was written down.
                self._sign(lane, resident)
        self._schedule.answered(key, told=True)

    def _resident(self, lane: Lane) -> Resident:
        if lane.name not in self._open:
            resident = self._open[lane.name] = self._plan.resident(lane)
            self._sign(lane, resident)
        return self._open[lane.name]

    def _sign(self, lane: Lane, resident: Resident) -> None:
        before = partial(self._till.before, lane.system)
        self._plan.signed(lane, resident.sign(self._store, before))

    def _close(self, name: str) -> None:
        if name in self._open:
            self._open.pop(name).close()

    def close(self) -> None:
        """Give back what is open."""
        for name in list(self._open):
            self._close(name)
