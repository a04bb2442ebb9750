"""Thoughts are cut off and texts are not, whatever marks of thoughts a text has itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.systems.chat.prompts import _THOUGHTS, MARKS, Unspoken, spoken

WORDS = ("a", "red", "house", "analysisData", "analysis", "assistantfinal", "final", "\n", "<", "|")
TEXTS = st.lists(st.sampled_from((*WORDS, *sorted(MARKS))), max_size=12).map(" ".join)
PLAIN = st.lists(st.sampled_from(WORDS[:3]), max_size=12).map(" ".join)


@given(TEXTS)
def test_a_text_that_is_its_own_translation_stays_as_it_is(text: str) -> None:
    assert spoken(text, text) == text.strip()


@given(st.text(st.characters(codec="utf-8", exclude_characters="<[◁f")))
def test_a_reply_without_marks_stays_as_it_is(text: str) -> None:
    assert spoken(f"A{text}") == f"A{text}".strip()


@pytest.mark.parametrize(("opening", "closing"), _THOUGHTS)
@given(thoughts=TEXTS, text=PLAIN)
def test_thoughts_go_whatever_marks_they_speak_of(
    opening: str, closing: str, thoughts: str, text: str
) -> None:
    for mark in ("<|message|>", "assistantfinal", opening, closing):
        thoughts = thoughts.replace(mark, "")
    assert spoken(f"{opening}{thoughts}{closing}{text}", text) == text.strip()


@pytest.mark.parametrize(("opening", "closing"), _THOUGHTS)
@given(thoughts=PLAIN, text=TEXTS)
def test_a_text_keeps_its_marks_though_there_are_thoughts_before_it(
    opening: str, closing: str, thoughts: str, text: str
) -> None:
    assert spoken(f"{opening}{thoughts}{closing}{text}", text) == text.strip()


@pytest.mark.parametrize(("opening", "closing"), _THOUGHTS)
@given(thoughts=PLAIN, text=PLAIN)
def test_thoughts_that_do_not_end_are_no_answer(
    opening: str, closing: str, thoughts: str, text: str
) -> None:
    with pytest.raises(Unspoken):
        spoken(f"{opening}{thoughts}", text)
    with pytest.raises(Unspoken):
        spoken(f"{opening}{thoughts}{closing}{text}{opening}", text)
