"""The search for the smallest change that breaks a sentence, on the page and without it."""

from __future__ import annotations

import http.client
import json
import queue

from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.plain import Plain
from hyperbaton.play.breaking import search_of, token_order
from hyperbaton.play.desk import Desk, Event
from hyperbaton.search.candidates import Material
from tests.play import systems
from tests.play.conftest import TOKEN, Look, Serve
from tests.play.test_page import TEXT, state

PLANTED = "python:tests.play.systems:"


def plain(text: str) -> Sentence:
    (found,) = Plain().open("en").parse([text])
    return found


def told(system: str, text: str = TEXT) -> list[Event]:
    """All that a search tells, without a page."""
    desk = Desk(f"{PLANTED}{system}", stored=False)
    events: queue.Queue[Event] = queue.Queue()
    search_of(("en", "de"), plain(text))(desk, events.put)
    found = [events.get(timeout=900)]
    while found[-1]["state"] not in ("done", "fault"):
        found.append(events.get(timeout=900))
    desk.close()
    return found


def test_a_search_tells_what_it_tries_and_ends_with_what_breaks() -> None:
    begun, *rounds, done = told("spelt")
    assert begun == {"state": "begun", "budget": 200}
    assert {one["state"] for one in rounds} == {"tried"}
    counts = [int(str(one["done"])) for one in (*rounds, done)]
    assert counts == sorted(counts)
    assert counts[-1] <= 210
    tried = [one for event in rounds for one in event["tried"]]  # type: ignore[attr-defined]
    broken = {one["text"] for one in tried if one["why"]}
    assert broken
    assert all("house" not in text.lower() for text in broken)
    cases = done["cases"]
    assert isinstance(cases, list)
    assert cases
    assert {case["text"] for case in cases} <= broken
    assert all(case["output"] == systems.BAD and case["order"] is None for case in cases)


def test_a_swap_of_words_is_told_as_an_order() -> None:
    *_, done = told("ordered")
    cases = done["cases"]
    assert isinstance(cases, list)
    swaps = [case for case in cases if case["kind"] == "order"]
    assert [case["order"] for case in swaps] == [(0, 1, 2, 4, 3, 5, 6, 7)]
    assert swaps[0]["text"] == "The old dog near sleeps the house."


def test_a_system_that_holds_and_one_that_fails() -> None:
    assert told("firm")[-1]["cases"] == []
    assert "out of order" in str(told("fails")[-1]["fault"])


def test_orders_of_words_are_orders_of_tokens_where_both_are_the_same() -> None:
    assert token_order(Material(plain("Oh, go home!")), (1, 0, 2)) == (2, 1, 0, 3, 4)
    parted = Sentence(("I", "do", "n't", "go"), (True, False, True, False), "en")
    assert token_order(Material(parted), (0, 2, 1)) is None


def test_a_search_that_nobody_waits_for_is_given_up(serve: Serve) -> None:
    system = f"{PLANTED}hangs"
    served = serve(system)
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=900)
    body = json.dumps({"pair": "en-de", "text": TEXT, "system": system})
    connection.request("POST", f"/{TOKEN}/api/break", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert json.loads(answer.readline())["state"] == "begun"
    (job,) = served.desks[system]._jobs
    answer.close()
    connection.close()
    assert job.cancelled.wait(300)


def test_the_page_breaks_a_sentence_and_makes_the_change_in_it(serve: Serve, look: Look) -> None:
    system = f"{PLANTED}spelt"
    looked = look(serve(system).link + state())
    page = looked.page
    looked.state(system, "answer")
    page.locator("#break-start").click()
    page.locator("#break-answer:has-text('one step is enough (')").wait_for()
    assert page.locator("#break-stop").is_hidden()
    assert page.locator("#break-tries .broken").count() >= 1
    assert page.locator("#break-tries span").count() > page.locator("#break-tries .broken").count()
    page.locator(f".card .text:has-text('{systems.BAD}')").first.wait_for()
    made = page.locator("#variant").inner_text()
    assert "house" not in made.lower()
    assert page.locator("#break-found button").first.inner_text() == made
    assert page.locator("#break-found li").first.locator("b").inner_text() in (
        *("letter", "space", "word twice"),
        *("learner's error", "case"),
    )
    page.locator("#undo").click()
    page.locator(f".card .text:has-text('{systems.GOOD}')").first.wait_for()
    assert looked.outcome(system) == "unchanged"
    assert page.locator("#break-found button").first.inner_text() == made, "it stays to be read"
    page.locator("#break-found button").last.click()
    page.locator(f".card .text:has-text('{systems.BAD}')").first.wait_for()
    page.locator("#text").fill("The small cat drinks milk.")
    page.locator("#text").press("Enter")
    page.locator('.tile:has-text("milk")').wait_for()
    assert page.locator("#break-found").is_hidden(), "it was about another sentence"
    assert page.locator("#break-answer").inner_text() == ""
    assert looked.complaints == []


def test_a_swap_that_breaks_is_made_with_the_tiles(serve: Serve, look: Look) -> None:
    looked = look(serve(f"{PLANTED}ordered").link + state())
    page = looked.page
    page.locator("#break-start").click()
    page.locator("#break-answer:has-text('word order')").wait_for()
    page.locator('.tile[data-word="4"]').wait_for()
    assert looked.words()[3:5] == ["near", "sleeps"]
    assert "o=0.1.2.4.3.5.6.7" in page.url


def test_a_search_is_stopped_and_keeps_what_it_found(serve: Serve, look: Look) -> None:
    system = f"{PLANTED}pausing"
    looked = look(serve(system).link + state())
    page = looked.page
    looked.state(system, "answer")
    page.locator("#break-start").click()
    page.locator("#break-tries span").first.wait_for()
    assert page.locator("#break-progress").is_visible()
    page.locator("#break-stop").click()
    page.locator("#break-answer:has-text('Stopped after')").wait_for()
    assert page.locator("#break-start").is_enabled()
    assert page.evaluate("document.activeElement.id") == "break-start"
    found = page.locator("#break-found button")
    for _ in range(found.count()):
        assert "house" not in found.first.inner_text().lower()
    assert page.locator("#variant").is_hidden(), "nothing is changed unless the reader asks"


def test_a_system_that_nothing_breaks_is_told_so(serve: Serve, look: Look) -> None:
    looked = look(serve(f"{PLANTED}firm").link + state(), locale="de-DE")
    looked.page.locator("#break-start").click()
    looked.page.locator("#break-answer:has-text('keine der Änderungen')").wait_for()
    assert looked.words()[0] == "The"
    assert looked.complaints == []
