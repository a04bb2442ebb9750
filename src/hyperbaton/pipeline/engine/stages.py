"""A run as a list of stages over parts; both engines execute the same list.

A stage says which parts it makes once a part of an earlier stage is there, and what makes one: a
function that can be sent to any process, or a system that stays open (a lane). Every work looks
first whether its part is there, so a stage may be done twice, and a run may stop at any moment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from hyperbaton.base.progress import Board
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.job import Job
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.record import Record
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Before

if TYPE_CHECKING:
    from ray.actor import ActorHandle

    from hyperbaton.base.progress import Advance

AHEAD = 2
"""Parts that a translator has in hand: the one it is at, and the next, so that it never waits."""


class Key(NamedTuple):
    """Which part of a stage."""

    pair: Pair
    part: int | None
    """None for a part that is made of all parts of the stage before."""
    system: str = ""
    """Empty where no system takes part."""


Bar = Callable[[int], "Advance"]
"""What makes, of a number of texts, what is told of those that are done."""
Work = tuple[Callable[..., Any], tuple[object, ...]]
"""A function with its arguments, as any process can call it."""


@dataclass(frozen=True)
class Stage:
    """One step of a run."""

    name: str
    parts: Callable[[Key | None], Iterable[Key]]
    """The parts that can be made once a part of the stage before is there; None: at the start."""
    work: Callable[[Key], Work | None]
    """What makes a part; None where an open system must. Work that gives a true value says that
    an open system must after all."""
    after: str = ""
    """The stage whose parts it is made of; the first stage has none."""
    lane: Callable[[Key], Lane] | None = None
    """The open system that makes a part."""

    def named(self, key: Key) -> str:
        """A part in words."""
        of = key.system if self.lane else f"the {self.name}{key.system and f' of {key.system}'}"
        part = "all parts" if key.part is None else f"part {key.part}"
        return f"{part} of {of} in {key.pair}"


@dataclass(frozen=True)
class Task:
    """A part that any worker can make."""

    stage: Stage
    key: Key
    work: Work
    attempt: int = 1

    @property
    def name(self) -> str:
        """The part in words."""
        return self.stage.named(self.key)


class Resident(ABC):
    """A system that stays open; it is sent closed to the process that it works in."""

    @abstractmethod
    def sign(self, store: Store | None, before: Before) -> object:
        """Open it; what it says of itself. What `before` raises ends its work."""

    @abstractmethod
    def make(self, part: Any, bar: Bar) -> None:
        """Make a part as its plan describes it (`given`)."""

    @abstractmethod
    def close(self) -> None:
        """Give the model back."""


@dataclass(eq=False)
class Worker:
    """A resident of a lane, as an actor of the cluster."""

    handle: ActorHandle
    lane: Lane
    reader: str
    """Its name in the library."""
    signed: bool = False
    hand: deque[Key] = field(default_factory=deque)
    """The parts that it was given, in order."""

    @property
    def free(self) -> bool:
        """Whether it can take one more part."""
        return self.signed and len(self.hand) < AHEAD


@dataclass(eq=False)
class Lane:
    """The way of one open system through its parts."""

    system: str
    parts: int
    known: bool = False
    """Whether parts may be there from an earlier run."""
    most: int | None = None
    """Residents at once, however much room there is."""
    pair: Pair | None = None
    """The only pair, for a system that is opened for each."""
    ready: deque[Key] = field(default_factory=deque)
    """Parts that can be made, and that only this system can make."""
    answered: int = 0
    crew: list[Worker] = field(default_factory=list)
    lost: Counter[Key | None] = field(default_factory=Counter)
    """How often each part was lost with its resident; None: before it had one."""

    @property
    def name(self) -> str:
        """The system, and the languages it is opened for."""
        return self.system if self.pair is None else f"{self.system} in {self.pair}"

    @property
    def needy(self) -> bool:
        """Whether parts wait that nobody here is free for."""
        if self.most is not None and len(self.crew) >= self.most:
            return False
        return bool(self.ready) and all(worker.signed and not worker.free for worker in self.crew)

    @property
    def over(self) -> bool:
        """Whether no part is left to hand out, now or later."""
        in_hand = sum(len(worker.hand) for worker in self.crew)
        return not self.ready and self.answered + in_hand == self.parts


def neediest(lanes: Sequence[Lane]) -> Lane | None:
    """The lane with most parts waiting for each of its residents; the first of equals."""
    needy = [lane for lane in lanes if lane.needy]
    return max(needy, key=lambda lane: len(lane.ready) / (1 + len(lane.crew)), default=None)


class Plan(ABC):
    """What a job comes to: its stages, its lanes, and its record, which learns signatures."""

    stages: Sequence[Stage]
    lanes: Sequence[Lane]
    introduces = False
    """Whether every system must say what it is before any part is made."""
    stores = True
    """Whether answers go into the store of translations."""

    def __init__(self, job: Job, layout: Layout, record: Record) -> None:
        self.job = job
        self.layout = layout
        self.record = record

    @property
    @abstractmethod
    def totals(self) -> Mapping[str, int]:
        """What the bars of the stages count, in all."""

    @abstractmethod
    def size(self, key: Key) -> int:
        """What a part counts for."""

    @abstractmethod
    def resident(self, lane: Lane) -> Resident:
        """The system of a lane, closed."""

    @abstractmethod
    def signed(self, lane: Lane, value: Any) -> None:
        """Enter what a resident says of itself; refused where that is not what it was."""

    @abstractmethod
    def given(self, key: Key) -> object:
        """A part, as a resident is asked for it."""


class Schedule:
    """The tasks of a plan, in an order that lets little wait."""

    def __init__(self, plan: Plan, board: Board) -> None:
        self.plan, self.lanes = plan, plan.lanes
        self._board = board
        self._todo: deque[Task] = deque()
        self._begin = self._begun()
        self.answering = next(stage for stage in plan.stages if stage.lane)
        """The stage of the open systems."""

    def _begun(self) -> Iterator[Task]:
        """The tasks of the first stage; what they are made of is read as they are handed out."""
        for stage in self.plan.stages:
            if not stage.after:
                for key in stage.parts(None):
                    yield from self._enter(stage, key)

    @property
    def waiting(self) -> bool:
        """Whether something can be made of parts that are there."""
        return bool(self._todo)

    def next(self) -> Task | None:
        """The next task: what is made of parts that are there goes before new parts."""
        return self._todo.popleft() if self._todo else next(self._begin, None)

    def again(self, task: Task) -> None:
        """Put a task back that was lost with its worker."""
        self._todo.appendleft(replace(task, attempt=task.attempt + 1))

    def finished(self, task: Task, value: object) -> None:
        """A task is done: its part is there, unless it takes an open system."""
        if value and task.stage.lane:
            task.stage.lane(task.key).ready.append(task.key)
        else:
            self._made(task.stage, task.key)
            self._board.advance(task.stage.name, self.plan.size(task.key))

    def answered(self, key: Key, told: bool = False) -> None:
        """An open system made a part; `told` where a bar has shown that already."""
        self._made(self.answering, key)
        self._board.advance(self.answering.name, 0 if told else self.plan.size(key))

    def _made(self, stage: Stage, key: Key) -> None:
        """A part is there: what is made of it comes next."""
        if stage.lane:
            stage.lane(key).answered += 1
        for other in self.plan.stages:
            if other.after == stage.name:
                for follower in other.parts(key):
                    self._todo.extend(self._enter(other, follower))

    def _enter(self, stage: Stage, key: Key) -> Iterator[Task]:
        work = stage.work(key)
        if work is not None:
            yield Task(stage, key, work)
        elif stage.lane:
            stage.lane(key).ready.append(key)
