"""The map of a sentence's orders: which are drawn, how far each is, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial

from hyperbaton.alignment.variant_outcomes import variant_outcomes
from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence, is_punctuation
from hyperbaton.play.desk import Desk, Event, Job
from hyperbaton.play.mistakes import Mistake
from hyperbaton.play.sentences import moved
from hyperbaton.systems.faults import EMPTY
from hyperbaton.systems.system import Translation

MOST_WORDS = 8
MOST_ORDERS = 500
_BATCH = 16
"""Orders translated in one step: few, so that a question never waits long."""


@dataclass(frozen=True)
class Orders:
    """Orders of a sentence, the nearest first, out of so many that there are."""

    orders: tuple[Order, ...]
    possible: int
    farthest: int
    """The distance of the sentence read backwards."""


def distance(order: Sequence[int]) -> int:
    """How many pairs of words stand the other way round (Kendall's distance).

    >>> distance((0, 1, 2)), distance((1, 0, 2)), distance((2, 1, 0))
    (0, 1, 3)
    """
    return sum(one > two for one, two in combinations(order, 2))


def orders_of(sentence: Sentence) -> Orders:
    """All orders of the words, or as many of each distance as make 500; a final mark stays.

    >>> found = orders_of(Sentence.from_words("Tom saw the old dog .".split()))
    >>> len(found.orders), found.possible, found.farthest
    (120, 120, 10)
    """
    size = len(sentence) - bool(sentence.words and is_punctuation(sentence.words[-1]))
    if not 2 <= size <= MOST_WORDS:
        raise Mistake("wrong_map_size", most=MOST_WORDS, size=size)
    possible, farthest = factorial(size), size * (size - 1) // 2
    rest = tuple(range(size, len(sentence)))
    by_distance: list[list[Order]] = [[] for _ in range(farthest + 1)]
    for order in permutations(range(size)):
        by_distance[distance(order)].append((*order, *rest))
    counts = _shares([len(group) for group in by_distance])
    drawn = [
        Rng(0, sentence.text, "orders", draw).shuffled(group)[:count]
        for draw, (group, count) in enumerate(zip(by_distance, counts, strict=True))
    ]
    return Orders(tuple(order for group in drawn for order in group), possible, farthest)


def _shares(sizes: Sequence[int]) -> list[int]:
    """How many of each group are drawn: as even as the groups allow, not more than 500 in all.

    >>> _shares([1, 400, 400]), _shares([1, 2, 1])
    ([1, 250, 249], [1, 2, 1])
    """
    counts = [0] * len(sizes)
    left = MOST_ORDERS
    while left and (open_ := [i for i, size in enumerate(sizes) if counts[i] < size]):
        each = max(1, left // len(open_))
        for i in open_:
            more = min(each, sizes[i] - counts[i], left)
            counts[i] += more
            left -= more
    return counts


def map_of(
    pair: tuple[str, str], sentence: Sentence
) -> Callable[[Desk, Callable[[Event], None]], Job]:
    """What starts the map of a sentence, once its orders are drawn."""
    drawn = orders_of(sentence)
    return lambda desk, tell: begin_map(desk, pair, sentence, drawn, tell)


def begin_map(
    desk: Desk,
    pair: tuple[str, str],
    sentence: Sentence,
    orders: Orders,
    tell: Callable[[Event], None],
) -> Job:
    """Start the map of one system; its points are told batch by batch, then `done` or `fault`."""
    batches = [orders.orders[i : i + _BATCH] for i in range(0, len(orders.orders), _BATCH)]
    done = 0

    def texts() -> Iterator[Sequence[str]]:
        for batch in batches:
            yield [sentence.text, *(sentence.arrange(order) for order in batch)]
        tell({"state": "done"})

    def take(translations: Sequence[Translation]) -> None:
        nonlocal done
        batch = batches[done // _BATCH]
        done += len(batch)
        points = _points(pair, sentence, batch, translations)
        tell({"state": "points", "points": points, "done": done})

    job = Job(pair, texts(), take, lambda fault: tell({"state": "fault", "fault": fault}))
    tell(
        {
            "state": "begun",
            "orders": len(orders.orders),
            "possible": orders.possible,
            "farthest": orders.farthest,
        }
    )
    desk.begin(job)
    return job


def _points(
    pair: tuple[str, str],
    sentence: Sentence,
    orders: Sequence[Order],
    translations: Sequence[Translation],
) -> list[dict[str, object]]:
    """The outcome of each order that was translated; the first translation is the clean one."""
    clean, *rest = translations
    if clean.text is None:
        raise RuntimeError(clean.fault)
    there = [
        (order, answer.text or "")
        for order, answer in zip(orders, rest, strict=True)
        if answer.text is not None or answer.fault == EMPTY
    ]
    variants = [moved(sentence, order) for order, _ in there]
    outcomes = variant_outcomes(pair, sentence, variants, clean.text, [text for _, text in there])
    return [
        {
            "order": order,
            "distance": distance(order),
            "outcome": one.outcome,
            "varied": variant.text,
            "text": text,
        }
        for (order, text), variant, one in zip(there, variants, outcomes, strict=True)
    ]
