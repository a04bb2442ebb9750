"""An empty answer to a text with words is a fault for whoever asks, and an answer in the store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import EMPTY, has_words, is_blank, translation_of
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translation, Translator


class Mute(Translator):
    """Answers with the same text, and counts what it is asked."""

    def __init__(self, answer: str) -> None:
        self.signature = "mute|en-de"
        self.answer = answer
        self.asked: list[str] = []

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        self.asked += texts
        return [Translation(self.answer) for _ in texts]


@pytest.mark.parametrize("answer", ["", "  ", "\t", "\u200b", "\ufeff \u200e", "\n\u2028"])
def test_what_shows_nothing_is_empty(answer: str) -> None:
    texts = ["A house.", "7", "?!", "", "人", "…"]
    found = translate_all(Mute(answer), texts)
    lost = Translation(None, EMPTY)
    assert [found[0], found[1], found[4]] == [lost] * 3
    assert all(is_blank(found[place].text or "") for place in (2, 3, 5))
    assert not any(found[place].fault for place in (2, 3, 5))


@pytest.mark.parametrize("answer", [".", "…", "a", "0", "🙂", "。"])
def test_whatever_can_be_seen_is_an_answer(answer: str) -> None:
    assert translate_all(Mute(answer), ["A house."]) == [Translation(answer)]


def test_the_store_keeps_the_answer_so_that_nobody_is_asked_again(tmp_path: Path) -> None:
    for retry in (False, False, True):
        with Store(tmp_path) as store:
            mute = Mute("")
            found = translate_all(mute, ["A house."], store=store, retry_failed=retry)
            assert found == [Translation(None, EMPTY)]
            held = store.lookup(mute.signature, ["A house."])
            assert held["A house."] == Translation("")
    assert mute.asked == []


@given(st.text(), st.text())
def test_only_an_empty_answer_to_words_is_changed(source: str, answer: str) -> None:
    found = translation_of(source, Translation(answer))
    lost = has_words(source) and is_blank(answer)
    assert found == (Translation(None, EMPTY) if lost else Translation(answer))
    assert translation_of(source, found) == found
