"""A desk answers the newest question of each page; one that hangs holds up nobody else."""

from __future__ import annotations

import itertools
import queue
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hyperbaton.alignment import reading
from hyperbaton.language.sentence import Sentence
from hyperbaton.play.answers import Question
from hyperbaton.play.desk import Desk, Event, Job, Judge, Ticket
from hyperbaton.play.sentences import moved
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS
from tests.play import systems

HANGS = "python:tests.play.systems:hangs"
SENTENCE = Sentence.from_words(["The", "old", "dog", "sleeps", "near", "the", "house", "."], "en")
LONG = 300
NUMBERS = itertools.count()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Desk]]:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path))
    systems.LET_GO.clear()
    systems.SEEN.clear()
    made = []

    def opened(system: str) -> Desk:
        made.append(Desk(system))
        return made[-1]

    yield opened
    systems.LET_GO.set()
    for one in made:
        one.close()
        one._thread.join(LONG)


def question(turn: int) -> Question:
    size = len(SENTENCE) - 1
    order = [*(i for i in range(size) if i != turn % size), turn % size, size]
    return Question(("en", "de"), SENTENCE, moved(SENTENCE, order))


def asked(
    desk: Desk, what: Question, page: str = "a", number: int | None = None
) -> queue.Queue[Event]:
    """Put a question; without a number it is the next one."""
    events: queue.Queue[Event] = queue.Queue()
    desk.ask(Ticket(page, next(NUMBERS) if number is None else number, what, events.put))
    return events


def last(events: queue.Queue[Event]) -> Event:
    """What a ticket ends with."""
    while (event := events.get(timeout=LONG))["state"] == "running":
        pass
    return event


def test_an_answer_has_translations_links_and_an_outcome(desk: Callable[[str], Desk]) -> None:
    event = last(asked(desk("gloss"), question(2)))
    assert event["state"] == "answer"
    assert event["outcome"] == "carried"
    assert event["varied"]["links"]  # type: ignore[index]
    assert event["scores"] is None


def test_an_empty_translation_of_a_variant_is_an_outcome(desk: Callable[[str], Desk]) -> None:
    event = last(asked(desk("python:tests.play.systems:mute"), question(0)))
    assert (event["state"], event["outcome"]) == ("answer", "empty")
    assert event["varied"]["text"] == ""  # type: ignore[index]
    nothing = Question(("en", "de"), SENTENCE, moved(SENTENCE, tuple(range(len(SENTENCE)))))
    event = last(asked(desk("cmd:sed s/.*//"), nothing))
    assert (event["state"], event["fault"]) == ("fault", "the translation is empty")


def test_a_copied_source_is_an_outcome_with_its_reason(desk: Callable[[str], Desk]) -> None:
    event = last(asked(desk("copy"), question(2)))
    assert (event["outcome"], event["untranslated"]) == ("untranslated", "copied")
    assert last(asked(desk("gloss"), question(2)))["untranslated"] is None


def test_of_many_moves_only_the_first_and_the_newest_are_translated(
    desk: Callable[[str], Desk],
) -> None:
    busy = desk(HANGS)
    first = asked(busy, question(0))
    assert first.get(timeout=LONG)["state"] == "running"
    waiting = [asked(busy, question(turn)) for turn in range(1, 7)]
    for older in waiting[:-1]:
        assert last(older)["state"] == "stale"
    systems.LET_GO.set()
    assert last(waiting[-1])["state"] == "answer"
    assert last(first)["state"] == "stale", "it was at work when a newer question came"
    texts = {text for turn in (0, 6) for text in question(turn).texts}
    assert set(systems.SEEN) == texts


def test_a_question_that_comes_late_does_not_push_out_a_newer_one(
    desk: Callable[[str], Desk],
) -> None:
    busy = desk(HANGS)
    first = asked(busy, question(0), number=1)
    assert first.get(timeout=LONG)["state"] == "running"
    newer = asked(busy, question(2), number=3)
    assert last(asked(busy, question(1), number=2))["state"] == "stale"
    systems.LET_GO.set()
    assert last(newer)["state"] == "answer"


def test_another_system_answers_while_one_hangs(desk: Callable[[str], Desk]) -> None:
    hanging, other = desk(HANGS), desk("gloss")
    assert asked(hanging, question(1)).get(timeout=LONG)["state"] == "running"
    assert last(asked(other, question(1)))["state"] == "answer"


def test_pages_do_not_push_each_other_out(desk: Callable[[str], Desk]) -> None:
    busy = desk(HANGS)
    first = asked(busy, question(0))
    assert first.get(timeout=LONG)["state"] == "running"
    one, two = asked(busy, question(1), "a"), asked(busy, question(2), "b")
    systems.LET_GO.set()
    assert (last(one)["state"], last(two)["state"]) == ("answer", "answer")


def test_what_was_translated_before_comes_at_once_while_the_system_is_busy(
    desk: Callable[[str], Desk],
) -> None:
    busy = desk(HANGS)
    systems.LET_GO.set()
    assert last(asked(busy, question(1)))["state"] == "answer"
    systems.LET_GO.clear()
    assert asked(busy, question(2), "b").get(timeout=LONG)["state"] == "running"
    assert last(asked(busy, question(1)))["state"] == "answer"
    assert not systems.LET_GO.is_set()


def test_a_system_that_fails_says_so_and_answers_the_next_question(
    desk: Callable[[str], Desk],
) -> None:
    failing = desk("python:tests.play.systems:fails")
    for turn in (1, 2):
        event = last(asked(failing, question(turn)))
        assert event["state"] == "fault"
        assert "out of order" in str(event["fault"])


def test_a_language_that_a_system_does_not_have_is_a_fault(desk: Callable[[str], Desk]) -> None:
    what = Question(("de", "fr"), SENTENCE, moved(SENTENCE, range(len(SENTENCE))))
    event = last(asked(desk("bundled"), what))
    assert event["state"] == "fault"
    assert "does not translate de-fr" in str(event["fault"])


def test_a_question_goes_before_the_next_batch_of_a_job(desk: Callable[[str], Desk]) -> None:
    busy = desk("gloss")
    told: queue.Queue[str] = queue.Queue()
    batches = iter([["One ."], ["Two ."], ["Three ."]])
    first = iter([True])

    def take(answers: object) -> None:
        told.put("batch")
        if next(first, False):
            busy.ask(Ticket("a", 0, question(1), lambda e: told.put(str(e["state"]))))

    busy.begin(Job(("en", "de"), batches, take, told.put))
    found = [told.get(timeout=LONG) for _ in range(5)]
    assert found == ["batch", "running", "answer", "batch", "batch"]


def test_a_job_that_is_cancelled_ends(desk: Callable[[str], Desk]) -> None:
    busy = desk("gloss")
    told: queue.Queue[int] = queue.Queue()

    def take(answers: object) -> None:
        told.put(1)
        job.cancelled.set()

    job = Job(("en", "de"), iter([["One ."], ["Two ."]]), take, lambda fault: told.put(0))
    busy.begin(job)
    assert told.get(timeout=LONG) == 1
    assert last(asked(busy, question(1)))["state"] == "answer", "the desk is free again"
    assert told.empty()


class _Slow(Judge):
    """A judge that is ready when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = 0

    def begin(self) -> None:
        self.begun += 1


def test_a_translation_comes_before_its_outcome_while_the_judge_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path))
    judge = _Slow()
    early = Desk("gloss", judge=judge)
    event = last(asked(early, question(2)))
    assert (event["outcome"], event["pending"]) == (None, True)
    assert event["varied"]["links"]  # type: ignore[index]
    clean = Question(("en", "de"), SENTENCE, moved(SENTENCE, range(len(SENTENCE))))
    event = last(asked(early, clean))
    assert (event["outcome"], event["pending"]) == ("unchanged", False)
    assert judge.begun
    judge._ready.set()
    event = last(asked(early, question(2)))
    assert (event["outcome"], event["pending"]) == ("carried", False)
    early.close()


def test_a_judge_makes_itself_ready_once() -> None:
    reading._reader.cache_clear()
    judge = Judge()
    assert not judge.is_ready()
    judge.begin()
    judge.begin()
    assert judge._ready.wait(LONG * 5)
    # So are all looks that it may take.
    assert reading._reader.cache_info().currsize == 2 * reading.can_read("en", "de")


def test_a_move_does_not_wait_for_another_process(
    desk: Callable[[str], Desk], tmp_path: Path
) -> None:
    """A study that has claimed the texts may take minutes."""
    what, system = question(3), "python:tests.play.systems:attacks"
    with Store(tmp_path) as study, SYSTEMS.parse(system).open("en", "de") as translator:
        assert translator.stored
        assert study.claim(translator.signature, what.texts) == set(what.texts)
        assert last(asked(desk(system), what))["state"] == "answer"
