"""The plain tokenizer spells every text and claims no more than it knows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.parsing.parser import normalise
from hyperbaton.parsing.plain import Plain


@given(st.text(max_size=40))
def test_it_spells_the_text(text: str) -> None:
    [sentence] = Plain().open("de").parse([text])
    assert sentence.text == normalise(text)
    assert all(sentence.words)


def test_it_claims_no_tags_and_no_tree() -> None:
    [sentence] = Plain().open("en").parse(['He said: "Don\'t go!"'], ids=["7"])
    assert sentence.words == ("He", "said", ":", '"', "Don't", "go", "!", '"')
    assert (sentence.upos, sentence.heads, sentence.noun_chunks) == (None, None, None)
    assert sentence.id == "7"


def test_where_there_are_no_spaces_it_is_refused() -> None:
    with pytest.raises(HyperbatonError, match="Chinese is written without spaces"):
        Plain().open("zh")
