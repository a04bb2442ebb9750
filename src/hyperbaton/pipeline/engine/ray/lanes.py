"""One system at one language pair: its translators, and the parts that wait for them."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hyperbaton.pipeline.design import Pair

if TYPE_CHECKING:
    from ray.actor import ActorHandle

__all__ = ["AHEAD", "Lane", "Worker", "neediest"]

AHEAD = 2
"""Parts that a translator has in hand: the one it is at, and the next, so that it never waits."""


@dataclass(eq=False)
class Worker:
    """A translator of a lane, as an actor of the cluster."""

    handle: ActorHandle
    lane: Lane
    reader: str
    """Its name in the library."""
    signed: bool = False
    hand: deque[int] = field(default_factory=deque)
    """The parts that it was given, in order."""

    @property
    def free(self) -> bool:
        """Whether it can take one more part."""
        return self.signed and len(self.hand) < AHEAD


@dataclass(eq=False)
class Lane:
    """The way of one system through the parts of a pair."""

    system: str
    pair: Pair
    parts: int
    control: bool
    """Whether the answers stand in the probes, so that no translator is needed."""
    known: bool
    """Whether outputs may be there from an earlier run."""
    most: int | None = None
    """Translators at once, however much room there is."""
    ready: deque[int] = field(default_factory=deque)
    """Parts whose probes are made and whose outputs are not."""
    crew: list[Worker] = field(default_factory=list)
    answered: int = 0
    scored: int = 0
    lost: Counter[int | None] = field(default_factory=Counter)
    """How often each part was lost with its translator; None: before it had one."""

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


def neediest(lanes: list[Lane]) -> Lane | None:
    """The lane with most parts waiting for each of its translators; the first of equals."""
    needy = [lane for lane in lanes if lane.needy]
    return max(needy, key=lambda lane: len(lane.ready) / (1 + len(lane.crew)), default=None)
