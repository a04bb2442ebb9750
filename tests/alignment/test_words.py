"""Words of unparsed texts: nothing but white space is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.alignment.words import cut

TEXTS = st.text(st.sampled_from(list("aé1 -'’.,?_日本語がカ中文ไทย\u0301\n")), max_size=20)


@pytest.mark.parametrize("language", ["", "en", "fr", "ja", "zh", "th"])
@given(text=TEXTS)
def test_words_spell_the_text(language: str, text: str) -> None:
    assert "".join(cut(text, language)) == "".join(text.split())


def test_words_of_several_languages() -> None:
    assert cut("I don't know, Anna.", "en") == ["I", "don't", "know", ",", "Anna", "."]
    assert cut("Она живёт в Нью-Йорке.", "ru") == ["Она", "живёт", "в", "Нью-Йорке", "."]
    assert cut("我妹妹很快。", "zh") == ["我", "妹妹", "很快", "。"]
    assert cut("ไทย", "th") == list("ไทย")
