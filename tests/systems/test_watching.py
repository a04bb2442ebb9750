"""A job that is to end does so between two results, and not at the end of a chunk."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from hyperbaton.base.errors import OutOfBudget
from hyperbaton.systems.ct2.system import CTranslate2Translator
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.shipped.bundled import Bundled
from hyperbaton.systems.store.store import Store
from tests.systems.fakes import Fake, Streaming

TEXTS = [f"{n:02}" for n in range(10)]


class Patience:
    """Ends a job when it was asked so often."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> None:
        self.asked.append(list(texts))
        if len(self.asked) > self.times:
            raise OutOfBudget("enough")


def test_it_is_asked_with_what_is_sent_and_after_every_result() -> None:
    patience = Patience(100)
    answers = translate_all(Streaming(), TEXTS, before=patience)
    assert [a.text for a in answers] == [t[::-1] for t in TEXTS]
    assert patience.asked == [TEXTS, *[[]] * 10]


def test_results_that_came_before_are_kept_and_no_more_are_made() -> None:
    made: list[str] = []
    with pytest.raises(OutOfBudget, match="enough"):
        translate_all(Streaming(lambda texts: made.extend(texts)), TEXTS, before=Patience(4))
    assert made == TEXTS[:4]


def test_a_translator_that_gives_all_at_once_is_asked_between_batches() -> None:
    fake = Fake(batch_tokens=8)
    with pytest.raises(OutOfBudget, match="enough"):
        translate_all(fake, TEXTS, before=Patience(2))
    assert fake.batches == [TEXTS[:4], TEXTS[4:8]]


def test_a_job_that_waits_for_another_process_ends_too(tmp_path: Path) -> None:
    ended: list[str] = []

    def work() -> None:
        with Store(tmp_path) as store, pytest.raises(OutOfBudget):
            translate_all(Fake(), TEXTS, store=store, before=Patience(3))
        ended.append("in time")

    with Store(tmp_path) as other:
        other.claim(Fake().signature, TEXTS)
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(300)
    assert ended


@pytest.mark.parametrize("lengths", ["many", "one"])
def test_ctranslate2_is_not_given_more_than_it_can_leave_soon(lengths: str) -> None:
    tail = " so"
    texts = [
        f"This is sentence {n:04}.{tail * (n % 12 * (lengths == 'many'))}" for n in range(2400)
    ]
    with Bundled(workers=2, threads=1).open("en", "de") as translator:
        assert isinstance(translator, CTranslate2Translator)
        engine = translator._engine._translator
        results = translator.stream(texts)
        next(results)
        assert engine.num_queued_batches <= 16
        results.close()  # type: ignore[attr-defined]
        assert engine.num_queued_batches <= 16
