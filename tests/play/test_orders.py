"""The orders of the map: permutations, each once, evenly over the distances."""

from __future__ import annotations

import http.client
import json
import queue
from collections import Counter
from math import factorial

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import Sentence, is_permutation
from hyperbaton.play.desk import Desk, Event
from hyperbaton.play.orders import MOST_ORDERS, begin_map, distance, orders_of
from tests.play.conftest import TOKEN, Serve

WORDS = ["We", "often", "walk", "to", "the", "old", "river", "bank"]


@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("mark", [[], ["."]])
def test_every_order_is_a_permutation_and_none_comes_twice(size: int, mark: list[str]) -> None:
    sentence = Sentence.from_words([*WORDS[:size], *mark], "en")
    found = orders_of(sentence)
    assert all(is_permutation(order, len(sentence)) for order in found.orders)
    assert all(order[-1] == size for order in found.orders if mark)
    assert len(set(found.orders)) == len(found.orders) == min(MOST_ORDERS, factorial(size))
    assert found.possible == factorial(size)
    distances = [distance(order) for order in found.orders]
    assert distances == sorted(distances)
    assert (distances[0], distances[-1]) == (0, found.farthest)
    assert set(distances) == set(range(found.farthest + 1))


def test_far_and_near_orders_are_drawn_evenly() -> None:
    counts = Counter(map(distance, orders_of(Sentence.from_words(WORDS, "en")).orders))
    assert max(counts.values()) - min(counts[d] for d in range(3, 26)) <= 1


@pytest.mark.parametrize("words", [[], ["."], ["Go", "!"], [*"abcdefghi"]])
def test_a_sentence_must_be_short_and_have_words(words: list[str]) -> None:
    with pytest.raises(HyperbatonError, match="2 to 8 words"):
        orders_of(Sentence.from_words(words, "en"))


def test_a_map_tells_each_order_with_its_outcome() -> None:
    desk = Desk("gloss", stored=False)
    told: queue.Queue[Event] = queue.Queue()
    sentence = Sentence.from_words(["The", "dog", "likes", "cats", "."], "en")
    begin_map(desk, ("en", "de"), sentence, orders_of(sentence), told.put)
    events = [told.get(timeout=900) for _ in range(4)]
    desk.close()
    assert [event["state"] for event in events] == ["begun", "points", "points", "done"]
    assert events[0] == {"state": "begun", "orders": 24, "possible": 24, "farthest": 6}
    points = [point for event in events[1:3] for point in event["points"]]  # type: ignore[attr-defined]
    assert len(points) == 24
    assert points[0]["outcome"] == "unchanged"
    assert points[-1]["outcome"] == "carried"
    assert points[-1]["varied"] == "cats likes dog The ."


def test_a_map_that_nobody_waits_for_is_given_up(serve: Serve) -> None:
    system = "python:tests.play.systems:hangs"
    served = serve(system)
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=900)
    body = json.dumps({"pair": "en-de", "text": "The dog likes cats.", "system": system})
    headers = {"Content-Type": "application/json"}
    connection.request("POST", f"/{TOKEN}/api/orders", body, headers)
    answer = connection.getresponse()
    assert json.loads(answer.readline())["state"] == "begun"
    (job,) = served.desks[system]._jobs
    answer.close()
    connection.close()
    assert job.cancelled.wait(300)
