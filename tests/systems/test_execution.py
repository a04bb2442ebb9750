"""Many texts through a translator: each once, in order, past every fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.batching import is_out_of_memory
from hyperbaton.systems.execution import PATIENCE, translate_all
from hyperbaton.systems.faults import sound
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.survey import survey
from hyperbaton.systems.system import BatchFault, Translation, Translator
from tests.systems.fakes import Fake, Streaming

TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=40)


def test_identical_texts_are_translated_once_and_all_come_back_in_order() -> None:
    fake = Fake()
    answers = translate_all(fake, ["ab", "cd", "ab", "", "  ", "cd"])
    assert [a.text for a in answers] == ["ba", "dc", "ba", "", "", "dc"]
    assert fake.batches == [["ab", "cd"]]


def test_batches_run_from_the_longest_and_keep_to_the_size() -> None:
    fake = Fake(batch_tokens=10)
    translate_all(fake, ["a", "bbbbb", "cccc", "dd", "ee", "f" * 30])
    assert fake.batches == [["f" * 30], ["bbbbb", "cccc"], ["dd", "ee", "a"]]


def test_a_chunk_is_several_batches() -> None:
    fake = Fake(batch_tokens=4, chunk=3)
    translate_all(fake, [f"{n:02}" for n in range(20)])
    assert [len(batch) for batch in fake.batches] == [6, 6, 6, 2]


@settings(deadline=None)
@given(TEXTS, st.integers(1, 50), st.integers(1, 4))
def test_order_and_content_hold_for_any_texts(texts: list[str], size: int, chunk: int) -> None:
    texts = [text.replace("\0", "0") for text in texts]  # a NUL in an answer is a fault
    answers = translate_all(Fake(batch_tokens=size, chunk=chunk), texts)
    expected = [sound(Translation(t[::-1])).text if t.strip() else "" for t in texts]
    assert [answer.text for answer in answers] == expected


@pytest.mark.parametrize("kind", [Fake, Streaming])
@settings(deadline=None)
@given(st.sets(st.integers(0, 59)), st.integers(1, 60))
def test_only_the_texts_to_blame_fail(kind: type[Fake], bad: set[int], size: int) -> None:
    bad = set(sorted(bad)[: PATIENCE - 1])

    def fault(texts: Sequence[str]) -> None:
        if any(int(text) in bad for text in texts):
            raise ValueError("poison")

    fake = kind(fault, batch_tokens=size * 2)
    answers = translate_all(fake, [f"{n:02}" for n in range(60)])
    assert {n for n, a in enumerate(answers) if a.text is None} == bad
    assert {a.fault for a in answers if a.text is None} <= {"ValueError: poison"}


def test_a_fault_between_results_costs_none_that_came_before() -> None:
    def fault(texts: Sequence[str]) -> None:
        if texts == ["05"]:
            raise BatchFault("stumbled")

    fake = Streaming(fault)
    answers = translate_all(fake, [f"{n:02}" for n in range(10)])
    asked = [text for batch in fake.batches for text in batch]
    assert asked[:10] == [f"{n:02}" for n in range(10)]
    assert all(asked.count(f"{n:02}") == 1 for n in range(5))
    assert [n for n, a in enumerate(answers) if a.text is None] == [5]


class _Shifty(Translator):
    """Leaves the last text of any batch of several out."""

    signature = "shifty"

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        kept = texts[:-1] if len(texts) > 1 else texts
        return [Translation(text.upper()) for text in kept]


def test_fewer_translations_than_texts_are_never_misaligned() -> None:
    texts = [f"text {n}" for n in range(9)]
    assert [a.text for a in translate_all(_Shifty(), texts)] == [t.upper() for t in texts]


@pytest.mark.parametrize("chunk", [1, 4])
def test_memory_that_runs_out_halves_the_batch_and_it_grows_back(chunk: int) -> None:
    limit = 300
    sizes: list[int] = []

    def fault(texts: Sequence[str]) -> None:
        used = min(fake.batch_tokens // len(texts[0]), len(texts)) * len(texts[0])
        if used > limit:
            raise RuntimeError("CUDA failed with error out of memory")
        sizes.append(fake.batch_tokens)

    fake = Fake(fault, batch_tokens=1000, chunk=chunk)
    texts = [f"{n:010}" for n in range(2000)]
    assert [a.text for a in translate_all(fake, texts)] == [t[::-1] for t in texts]
    assert sizes[0] == 250
    # Grown towards the limit, never more than a quarter at a time.
    assert 250 < max(sizes) <= 309
    # Memory ran out at 1000, at 500, and once on the way up.
    assert len(fake.batches) - len(sizes) == 3


def test_one_text_too_large_for_the_memory_fails_alone() -> None:
    def fault(texts: Sequence[str]) -> None:
        if max(map(len, texts)) > 50:
            raise MemoryError

    fake = Fake(fault, batch_tokens=200, chunk=3)
    answers = translate_all(fake, ["a" * 60, *(f"{n:010}" for n in range(40))])
    assert answers[0] == Translation(None, "MemoryError")
    assert all(a.text for a in answers[1:])


def test_what_counts_as_out_of_memory() -> None:
    class OutOfMemoryError(RuntimeError):  # torch's, by name
        pass

    assert is_out_of_memory(OutOfMemoryError("CUDA"))
    assert is_out_of_memory(RuntimeError("std::bad_alloc"))
    assert not is_out_of_memory(RuntimeError("a memory of Spain"))
    assert not is_out_of_memory(ValueError("out of memory of words"))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, HyperbatonError("the key was refused")])
def test_what_is_finished_outlives_a_stop(
    tmp_path: Path, stop: BaseException | type[BaseException]
) -> None:
    calls = 0

    def fault(texts: Sequence[str]) -> None:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise stop

    texts = [f"{n:02}" for n in range(30)]
    with Store(tmp_path) as store:
        with pytest.raises(type(stop) if isinstance(stop, BaseException) else stop):
            translate_all(Fake(fault, batch_tokens=10), texts, store=store)
        again = Fake(batch_tokens=10)
        answers = translate_all(again, texts, store=store)
    assert [a.text for a in answers] == [t[::-1] for t in texts]
    assert sum(map(len, again.batches)) == 15


def test_results_that_came_before_an_interrupt_inside_a_stream_are_stored(tmp_path: Path) -> None:
    def fault(texts: Sequence[str]) -> None:
        if texts == ["07"]:
            raise KeyboardInterrupt

    texts = [f"{n:02}" for n in range(10)]
    with Store(tmp_path) as store:
        with pytest.raises(KeyboardInterrupt):
            translate_all(Streaming(fault), texts, store=store)
        assert len(store.lookup("fake|xx-yy", texts)) == 7


def test_a_failed_text_stays_failed_until_it_is_to_be_tried_again(tmp_path: Path) -> None:
    def fault(texts: Sequence[str]) -> None:
        if "b" in texts:
            raise BatchFault("no")

    with Store(tmp_path) as store:
        first = translate_all(Fake(fault), ["a", "b"], store=store)
        assert first == [Translation("a"), Translation(None, "no")]
        idle = Fake()
        assert translate_all(idle, ["a", "b"], store=store) == first
        assert not idle.batches
        again = Fake()
        assert translate_all(again, ["a", "b"], store=store, retry_failed=True)[1].text == "b"
        assert again.batches == [["b"]]
        assert translate_all(idle, ["b"], store=store) == [Translation("b")]


def test_a_dead_system_is_left_alone_and_the_rest_is_not_stored_as_failed(tmp_path: Path) -> None:
    def fault(texts: Sequence[str]) -> None:
        raise BatchFault("connection refused")

    texts = [f"{n:03}" for n in range(500)]
    fake = Fake(fault)
    with Store(tmp_path) as store:
        answers = translate_all(fake, texts, store=store)
        assert len(store.lookup(fake.signature, texts)) == PATIENCE + 1
        assert len(fake.batches) < 4 * PATIENCE
        assert all("connection refused" in a.fault for a in answers)
        assert sum(a.fault.startswith("not tried") for a in answers) == 500 - PATIENCE - 1
        assert all(a.text for a in translate_all(Fake(), texts, store=store, retry_failed=True))


def test_a_run_of_texts_that_are_too_long_is_not_taken_for_death() -> None:
    def fault(texts: Sequence[str]) -> None:
        if max(map(len, texts)) > 20:
            raise BatchFault("too long")

    texts = ["x" * (21 + n) for n in range(3 * PATIENCE)] + [f"{n:03}" for n in range(200)]
    answers = translate_all(Fake(fault), texts)
    assert [a.text is None for a in answers] == [True] * 3 * PATIENCE + [False] * 200


def test_answers_become_one_line_of_valid_text() -> None:
    odd: dict[str, str | None] = {"a": "one\ntwo\r\n", "b": "a\tb", "c": "\ud800", "d": None}

    class Odd(Translator):
        signature = "odd"

        def translate(self, texts: Sequence[str]) -> list[Translation]:
            return [Translation(odd[text]) for text in texts]

    answers = translate_all(Odd(), [*odd, "\udcff"])
    assert [a.text for a in answers] == ["one two", "a\tb", None, None, None]
    assert all(a.fault for a in answers[2:])


def test_a_survey_counts_and_sends_nothing(tmp_path: Path) -> None:
    def fault(texts: Sequence[str]) -> None:
        if "bad" in texts:
            raise BatchFault("no")

    with Store(tmp_path) as store:
        translate_all(Fake(fault), ["one", "bad"], store=store)
        fake = Fake()
        job = survey(fake, ["one", "two", "two", "bad", ""], store=store)
        assert (job.texts, job.distinct, job.stored, job.failed) == (5, 4, 1, 1)
        assert job.to_send == ("two",)
        again = survey(fake, ["one", "two", "bad"], store=store, retry_failed=True)
        assert again.to_send == ("two", "bad")
        assert not fake.batches


def test_progress_counts_every_distinct_text_once(tmp_path: Path) -> None:
    def counted(texts: Sequence[str], store: Store) -> int:
        steps: list[int] = []
        count: Callable[..., None] = steps.append
        translate_all(Fake(), texts, store=store, advance=count)
        return sum(steps)

    with Store(tmp_path) as store:
        assert counted(["a", "b", "", "a"], store) == 3
        assert counted(["a", "b", "c", "", "a"], store) == 4
