"""The map of a sentence's orders: translated in the gaps between questions, told as it grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hyperbaton.alignment.judging import judged
from hyperbaton.language.sentence import Sentence
from hyperbaton.play.desk import Desk, Event, Job
from hyperbaton.play.orders import Orders, distance
from hyperbaton.play.variants import moved
from hyperbaton.systems.faults import EMPTY
from hyperbaton.systems.system import Translation

__all__ = ["begin_map"]

_BATCH = 16
"""Orders in one step: few, so that a question never waits long."""


def begin_map(
    desk: Desk,
    pair: tuple[str, str],
    sentence: Sentence,
    found: Orders,
    tell: Callable[[Event], None],
) -> Job:
    """Start the map of one system; what comes is told, and at the end `done` or `fault`."""
    growing = _Map(pair, sentence, found, tell)
    job = Job(pair, growing.batches(), growing.take, growing.fail)
    tell(
        {
            "state": "begun",
            "orders": len(found.orders),
            "possible": found.possible,
            "farthest": found.farthest,
        }
    )
    desk.begin(job)
    return job


class _Map:
    """What is asked, in batches, and what is told of each batch."""

    def __init__(
        self,
        pair: tuple[str, str],
        sentence: Sentence,
        found: Orders,
        tell: Callable[[Event], None],
    ) -> None:
        self._pair = pair
        self._sentence = sentence
        self._orders = found.orders
        self._tell = tell
        self._start = 0

    def batches(self) -> Iterator[Sequence[str]]:
        """The sentence itself with each batch of its orders."""
        for start in range(0, len(self._orders), _BATCH):
            self._start = start
            here = self._orders[start : start + _BATCH]
            yield [self._sentence.text, *(self._sentence.arrange(order) for order in here)]
        self._tell({"state": "done"})

    def take(self, translations: Sequence[Translation]) -> None:
        """Judge a batch and tell its points."""
        clean, *rest = translations
        if clean.text is None:
            raise RuntimeError(clean.fault)
        orders = self._orders[self._start : self._start + _BATCH]
        there = [
            (order, answer.text or "")
            for order, answer in zip(orders, rest, strict=True)
            if answer.text is not None or answer.fault == EMPTY
        ]
        variants = [moved(self._sentence, order) for order, _ in there]
        outcomes = judged(self._pair, self._sentence, variants, clean.text, [t for _, t in there])
        points = [
            {
                "order": order,
                "distance": distance(order),
                "outcome": one.outcome,
                "varied": variant.text,
                "text": text,
            }
            for (order, text), variant, one in zip(there, variants, outcomes, strict=True)
        ]
        done = self._start + len(orders)
        self._tell({"state": "points", "points": points, "done": done})

    def fail(self, fault: str) -> None:
        """Say why there is no map."""
        self._tell({"state": "fault", "fault": fault})
