"""The driver: it hands out parts, waits for receipts, and hands out again what was lost."""

from __future__ import annotations

import logging
import os
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from hyperbaton.base.errors import HyperbatonError, OutOfBudget
from hyperbaton.base.files import cache_folder
from hyperbaton.base.progress import Board
from hyperbaton.pipeline.engine.budgets import Purse, Watch
from hyperbaton.pipeline.engine.ray import workers
from hyperbaton.pipeline.engine.ray.capacity import Capacity
from hyperbaton.pipeline.engine.ray.cluster import Pulse, joined, told_in_a_sentence
from hyperbaton.pipeline.engine.ray.library import Library, RemoteStore
from hyperbaton.pipeline.engine.stages import Key, Lane, Plan, Schedule, Task, Worker, neediest
from hyperbaton.pipeline.options import Ray, RunOptions

_log = logging.getLogger(__name__)

ATTEMPTS = 4
"""How often a part is handed out before the run gives up."""
_LAST = 60.0
"""Seconds that translators have for the texts under way when a limit is reached."""
_PAUSE = 5.0
"""Seconds after which the driver looks whether the cluster has changed."""


def execute_on_ray(plan: Plan, engine: Ray, watch: Watch) -> None:
    """Do what is not yet done of a job, on a cluster."""
    with ExitStack() as stack:
        ray, board = stack.enter_context(joined(engine)), Board(plan.totals)
        stack.enter_context(closing(board))
        stack.enter_context(told_in_a_sentence(ray))
        driver = stack.enter_context(closing(Driver(ray, plan, board, engine, watch)))
        if plan.introduces:
            driver.introduce()
        driver.run()


class Driver:
    """Keeps as much under way as the cluster can do, and no more."""

    def __init__(
        self,
        ray: ModuleType,
        plan: Plan,
        board: Board,
        engine: Ray,
        watch: Watch,
    ) -> None:
        self._ray = ray
        self._plan, self._lanes, self._options = plan, plan.lanes, plan.job.options
        self._schedule = Schedule(plan, board)
        self._watch = watch
        self._pulse = Pulse(ray)
        self._capacity = Capacity(ray, engine, self._pulse)
        self._work = ray.remote(num_cpus=1, max_retries=0)(workers.work)
        self._actor = ray.remote(num_cpus=0, max_restarts=0)(workers.Actor)
        stored = self._options.cached and plan.stores
        self._library = self._here(Library, _cache(self._options)) if stored else None
        priced = bool(self._options.prices)
        self._purse = self._here(Purse, plan.layout.costs, self._options) if priced else None
        self._tasks: dict[Any, Task] = {}
        self._calls: dict[Any, Worker] = {}
        self._hired = 0

    @property
    def _site(self) -> workers.Site:
        return workers.Site(os.getcwd(), replace(self._options, time_limit=self._watch.left))

    def _here(self, keeper: type, *arguments: object) -> Any:
        """What is kept on the node of the driver, where local runs find it too.

        All that it knows is on the disk: one that is killed is started again, and asked again.
        """
        here = self._ray.get_runtime_context().get_node_id()
        affinity = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        options = {
            "num_cpus": 0,
            "scheduling_strategy": affinity(here, soft=False),
            "max_restarts": ATTEMPTS - 1,
            "max_task_retries": ATTEMPTS - 1,
        }
        return self._ray.remote(**options)(keeper).remote(*arguments)

    def introduce(self) -> None:
        """Have every system say what it is before any part is handed out, one after the other."""
        for number, lane in enumerate(self._lanes, 1):
            while not any(worker.signed for worker in lane.crew):
                self._watch.check()
                self._pulse.look()
                if not lane.crew:
                    self._hire(lane)
                self._settle()
            if number < len(self._lanes):
                self._dismiss(lane.crew[0])

    def run(self) -> None:
        """Everything, from the corpora to the last score."""
        try:
            while True:
                self._watch.check()
                self._pulse.look()
                self._hand_out()
                if not self._tasks and not self._calls:
                    return
                self._settle()
        except OutOfBudget:
            # Translators stop after the texts under way, which may have been paid for.
            if self._calls:
                self._ray.wait(list(self._calls), num_returns=len(self._calls), timeout=_LAST)
            raise

    def close(self) -> None:
        """Let go of translators and store."""
        if self._pulse.lost:
            return  # they end with their Ray
        for lane in self._lanes:
            for worker in list(lane.crew):
                self._dismiss(worker)
        if self._purse is not None:
            with suppress(self._ray.exceptions.RayError):
                self._ray.get(self._purse.settle.remote(), timeout=30)
        if self._library is not None:
            with suppress(self._ray.exceptions.RayError):
                self._ray.get(self._library.close.remote(), timeout=30)

    def _hand_out(self) -> None:
        """Fill the cluster, and not more than that: what waits here takes memory."""
        while len(self._tasks) < self._capacity.tasks:
            task = self._schedule.next()
            if task is None:
                break
            self._submit(task)
        for lane in self._lanes:
            for worker in list(lane.crew):
                while worker.free and lane.ready:
                    self._give(worker, lane.ready.popleft())
                if lane.over and not worker.hand and worker.signed:
                    self._dismiss(worker)
        while sum(len(lane.crew) for lane in self._lanes) < self._capacity.translators:
            needy = neediest(self._lanes)
            if needy is None:
                break
            self._hire(needy)

    def _submit(self, task: Task) -> None:
        self._tasks[self._work.remote(self._site, task.work[0], *task.work[1])] = task

    def _give(self, worker: Worker, key: Key) -> None:
        worker.hand.append(key)
        self._calls[worker.handle.make.remote(self._plan.given(key))] = worker

    def _hire(self, lane: Lane) -> None:
        """A further translator for a lane; it loads its model in its own process."""
        self._hired += 1
        reader = f"translator {self._hired}"
        store = None if self._library is None else RemoteStore(self._library, reader)
        options = {"num_gpus": self._capacity.gpus, "scheduling_strategy": "SPREAD"}
        resident = self._plan.resident(lane)
        made_of = self._site, lane.system, resident, store, self._purse
        handle = self._actor.options(**options).remote(*made_of)
        worker = Worker(handle, lane, reader)
        lane.crew.append(worker)
        self._calls[handle.sign.remote()] = worker

    def _dismiss(self, worker: Worker) -> None:
        worker.lane.crew.remove(worker)
        if not worker.hand:
            with suppress(self._ray.exceptions.RayError):
                self._ray.get(worker.handle.close.remote(), timeout=10)
        self._ray.kill(worker.handle)
        self._forget(worker)

    def _forget(self, worker: Worker) -> None:
        """End the claims of a translator that is gone: others may translate these texts."""
        if self._library is not None:
            self._library.forget.remote(worker.reader)

    def _settle(self) -> None:
        """Wait until something is done, or for a while."""
        under_way = [*self._tasks, *self._calls]
        done, _ = self._ray.wait(under_way, timeout=_PAUSE)
        if done:
            more, _ = self._ray.wait(under_way, num_returns=len(under_way), timeout=0)
            done = list(dict.fromkeys([*done, *more]))
        self._capacity.watch(bool(done), waiting=len(under_way))
        # Calls of one translator end in the order in which they were made.
        for reference in sorted(done, key=under_way.index):
            if reference in self._tasks:
                self._settle_task(reference, self._tasks.pop(reference))
            elif reference in self._calls:
                self._settle_call(reference, self._calls.pop(reference))

    def _settle_task(self, reference: Any, task: Task) -> None:
        try:
            value = self._value(reference)
        except _Lost as loss:
            self._pulse.check()
            if task.attempt >= ATTEMPTS:
                raise HyperbatonError(loss.sentence(task.name)) from None
            self._capacity.changed()
            self._schedule.again(task)
            return
        self._schedule.finished(task, value)

    def _settle_call(self, reference: Any, worker: Worker) -> None:
        try:
            value = self._value(reference)
        except _Lost as loss:
            self._pulse.check()
            self._lose(worker, loss)
            return
        if not worker.signed:
            self._plan.signed(worker.lane, value)
            worker.signed = True
            return
        self._schedule.answered(worker.hand.popleft())

    def _value(self, reference: Any) -> Any:
        """What a receipt says; a loss is told from a mistake."""
        errors = self._ray.exceptions
        try:
            receipt: workers.Receipt[Any] = self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause if isinstance(error.cause, Exception) else error from None
        except errors.RayError as error:
            raise _Lost(error) from None
        for warning in receipt.warnings:
            _log.warning("%s", warning)
        if receipt.refusal is not None:
            raise (OutOfBudget if receipt.spent else HyperbatonError)(receipt.refusal)
        return receipt.value

    def _lose(self, worker: Worker, loss: _Lost) -> None:
        """Take back the parts of a translator that is gone; the one it was at is held to blame."""
        lane = worker.lane
        if worker not in lane.crew:
            return
        lane.crew.remove(worker)
        self._calls = {r: other for r, other in self._calls.items() if other is not worker}
        at = worker.hand[0] if worker.hand else None
        lane.lost[at] += 1
        if lane.lost[at] >= ATTEMPTS:
            raise HyperbatonError(
                loss.sentence(lane.name if at is None else self._schedule.answering.named(at))
            )
        lane.ready.extendleft(reversed(worker.hand))
        self._forget(worker)
        self._capacity.changed()


def _cache(options: RunOptions) -> Path:
    return (options.cache or cache_folder()).absolute()


class _Lost(Exception):
    """A worker is gone, with what it was at."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.memory = type(error).__name__ == "OutOfMemoryError"

    def sentence(self, what: str) -> str:
        """Why the run ends here."""
        reason = "memory ran out on its node" if self.memory else "often because memory ran out"
        return (
            f"the worker was killed {ATTEMPTS} times at {what}, {reason}: "
            "run the same command again with fewer or smaller translators, which resumes the run"
        )
