"""What a driver must know of a run: its tasks, its lanes, and what follows when they are done."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from hyperbaton.pipeline.engine.ray.lanes import Lane
from hyperbaton.pipeline.engine.ray.library import RemoteStore

if TYPE_CHECKING:
    from ray.actor import ActorHandle

__all__ = ["Agenda", "Task"]


@dataclass(frozen=True)
class Task:
    """A job for any worker with a free processor, and what is called with its result."""

    name: str
    job: Callable[..., Any]
    arguments: tuple[Any, ...]
    done: Callable[[Any], None]
    attempt: int = 1


class Agenda(ABC):
    """Nothing here knows of Ray; a lane's part is a number that only its agenda can read."""

    lanes: list[Lane]
    actor: ClassVar[type]
    """Who works at a lane: opened by `sign`, given parts by `make`, ended by `close`."""

    def next(self) -> Task | None:
        """The next task, if there is one now."""
        return None

    def again(self, task: Task) -> None:
        """Take a task back that was lost with its worker."""
        raise NotImplementedError(task.name)

    @abstractmethod
    def hiring(
        self, lane: Lane, store: RemoteStore | None, purse: ActorHandle | None
    ) -> tuple[Any, ...]:
        """What a new worker of a lane is made of, beside where it works."""

    @abstractmethod
    def signed(self, lane: Lane, value: Any) -> None:
        """A worker says what it is; refused where that is not what it was."""

    @abstractmethod
    def given(self, lane: Lane, part: int) -> Any:
        """A part, as a worker is asked for it."""

    @abstractmethod
    def answered(self, lane: Lane, part: int) -> None:
        """A part is there."""

    @abstractmethod
    def named(self, lane: Lane, part: int | None) -> str:
        """A part in words, or the whole lane."""
