"""What there is to do in a run of probes, and what follows when it is done."""

from __future__ import annotations

import platform
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.engine.planning import Plan
from hyperbaton.pipeline.engine.progress import Board
from hyperbaton.pipeline.engine.ray import workers
from hyperbaton.pipeline.engine.ray.agenda import Agenda, Task
from hyperbaton.pipeline.engine.ray.lanes import Lane
from hyperbaton.pipeline.engine.ray.library import RemoteStore
from hyperbaton.systems.controls import Control
from hyperbaton.systems.system import SYSTEMS

if TYPE_CHECKING:
    from ray.actor import ActorHandle

__all__ = ["Schedule"]


class Schedule(Agenda):
    """The tasks of a run, in an order that lets little wait, and the lanes of its systems."""

    actor = workers.TranslatorActor

    def __init__(self, plan: Plan, board: Board) -> None:
        self._plan, self._board = plan, board
        self._job, self._layout = plan.job, plan.layout
        self._todo: deque[Task] = deque()
        self._probes = self._parts_of_probes()
        self.lanes = [
            self._lane(system, corpus.pair)
            for corpus in self._job.corpora
            for system in self._job.systems_of(str(corpus.pair))
        ]

    def _lane(self, system: str, pair: Pair) -> Lane:
        parsed = SYSTEMS.parse(system)
        known = str(pair) in self._plan.record.systems[system]
        control = isinstance(parsed, Control)
        if control:
            self._plan.sign(system, pair, f"{parsed}|{pair}", batch_free=True)
        return Lane(system, pair, self._plan.parts(pair), control, known)

    def next(self) -> Task | None:
        """The next task: what is made of parts that are there goes before new parts."""
        return self._todo.popleft() if self._todo else next(self._probes, None)

    def again(self, task: Task) -> None:
        """Put a task back that was lost with its worker."""
        self._todo.appendleft(replace(task, attempt=task.attempt + 1))

    def hiring(
        self, lane: Lane, store: RemoteStore | None, purse: ActorHandle | None
    ) -> tuple[object, ...]:
        """What a translator is made of."""
        return lane.system, lane.pair, store, self._job.options.retry_failed, purse

    def signed(self, lane: Lane, value: tuple[str, bool]) -> None:
        """Enter the signature of a system."""
        self._plan.sign(lane.system, lane.pair, *value)

    def named(self, lane: Lane, part: int | None) -> str:
        """A part of a system's outputs in words."""
        which = lane.system if part is None else f"part {part} of {lane.system}"
        return f"{which} in {lane.pair}"

    def given(self, lane: Lane, part: int) -> workers.Outputs:
        """A part of outputs, as a translator is asked for it."""
        return workers.Outputs(
            self._layout.probes(lane.pair, part),
            self._layout.outputs(lane.system, lane.pair, part),
            self._plan.record.configuration(lane.pair, lane.system),
            self._plan.made_of_outputs(lane.system, lane.pair, part),
        )

    def answered(self, lane: Lane, part: int, _: object = None) -> None:
        """A part of outputs is there: it can be scored."""
        lane.answered += 1
        self._board.advance("translations", self._plan.items(lane.pair, part))
        self._score(lane, lane.pair, part)

    def _parts_of_probes(self) -> Iterator[Task]:
        """Parts of probes; a corpus is read as its parts are handed out."""
        for corpus in self._job.corpora:
            stream, pair, record = corpus.items(), corpus.pair, self._plan.record
            for part in range(self._plan.parts(pair)):
                items = [replace(i, columns=dict(i.columns)) for i in islice(stream, record.part)]
                arguments = (
                    self._layout.probes(pair, part),
                    record.configuration(pair),
                    self._job.design,
                    items,
                    pair,
                    self._job.parse,
                    record.parsers,
                    platform.node(),
                )
                name = f"part {part} of the probes in {pair}"
                done = partial(self._probed, pair, part)
                yield Task(name, workers.ensure_probes, arguments, done)

    def _probed(self, pair: Pair, part: int, _: object) -> None:
        self._board.advance("probes", self._plan.items(pair, part))
        self._score(None, pair, part)
        for lane in self.lanes:
            if lane.pair != pair:
                continue
            outputs, name = self.given(lane, part), self.named(lane, part)
            if lane.control:
                asked = (outputs, lane.system, pair)
                done = partial(self.answered, lane, part)
                self._todo.append(Task(name, workers.answer, asked, done))
            elif lane.known:
                there = (outputs.path, outputs.configuration)
                done = partial(self._looked, lane, part)
                self._todo.append(Task(name, workers.look, there, done))
            else:
                lane.ready.append(part)

    def _looked(self, lane: Lane, part: int, failed: int | None) -> None:
        """Outputs of an earlier run need no translator, unless some are missing or failed."""
        if failed == 0:
            self.answered(lane, part)
        else:
            lane.ready.append(part)

    def _score(self, lane: Lane | None, pair: Pair, part: int) -> None:
        system = None if lane is None else lane.system
        name = f"the scores of part {part} of {system or 'the probes'} in {pair}"
        job = self._plan.scoring(system, pair, part)
        done = partial(self._scored, lane, part)
        self._todo.append(Task(name, workers.ensure_scores, (job,), done))

    def _scored(self, lane: Lane | None, part: int, _: object) -> None:
        if lane is None:
            return
        self._board.advance("scores", self._plan.items(lane.pair, part))
        lane.scored += 1
        record = self._plan.record
        if record.whole and record.by_parts:
            self._judge(lane, part)
        elif record.whole and lane.scored == lane.parts:
            self._judge(lane, None)

    def _judge(self, lane: Lane, part: int | None) -> None:
        what = "all" if part is None else f"part {part}"
        name = f"the scores of {what} of {lane.system} in {lane.pair} by the whole corpus"
        job = self._plan.judging(lane.system, lane.pair, part)
        self._todo.append(Task(name, workers.ensure_judged, (job,), _nothing))


def _nothing(_: object) -> None:
    """Nothing follows, and no bar counts it."""
