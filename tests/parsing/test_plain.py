"""The plain tokenizer keeps the text, sets marks apart, and declines where there are no spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.errors import HyperbatonError
from hyperbaton.parsing import PARSERS, normalise, open_parser


@given(st.lists(st.text(max_size=30), max_size=4))
def test_the_text_is_kept(texts: list[str]) -> None:
    with open_parser("qu", "plain", cache=False) as parser:
        sentences = list(parser.parse(texts))
    assert [sentence.text for sentence in sentences] == [normalise(text) for text in texts]
    assert all(word and not word.isspace() for s in sentences for word in s.words)


def test_marks_are_words_of_their_own() -> None:
    parser = PARSERS.parse("plain").open("en")
    (sentence,) = parser.parse(['He said: "Don\'t (yet)..." — U.S.-style, 3.14!'], ids=["7"])
    assert sentence.words == (
        *("He", "said", ":", '"', "Don't", "(", "yet", ")", "...", '"', "—"),
        *("U.S.-style", ",", "3.14", "!"),
    )
    assert (sentence.id, sentence.upos, sentence.heads) == ("7", None, None)


def test_languages_without_spaces_need_a_parser() -> None:
    with pytest.raises(HyperbatonError, match="Japanese is written without spaces"):
        PARSERS.parse("plain").open("ja")
