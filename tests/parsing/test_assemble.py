"""Whatever a tokenizer reports, the words spell the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.parsing.assemble import Analysis, Token, Word, assemble, cover, sentence_of
from hyperbaton.parsing.parser import normalise


@given(st.text(alphabet="ab ,。\u00a0\t", min_size=1, max_size=30), st.data())
def test_any_offsets_spell_the_text(text: str, data: st.DataObject) -> None:
    text = normalise(text)
    if not text:
        return
    edges = sorted(data.draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=8)))
    offsets = list(zip(edges[::2], edges[1::2], strict=False))
    offsets = [(a, b) for a, b in offsets if text[a:b].strip()]
    if not offsets:
        return
    words, spaces = cover(text, offsets)
    assert "".join(w + " " * s for w, s in zip(words, spaces, strict=True)) == text
    assert len(words) == len(offsets)


def test_spaces_fold_away_with_their_tree() -> None:
    """Tokens: a ␣ b . ␣ c — the second blank is a root with a child, between two sentences."""
    text = "a b. c"
    analysis = Analysis(
        offsets=[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)],
        upos=["NOUN", "SPACE", "VERB", "PUNCT", "SPACE", "NOUN"],
        heads=[1, 2, 2, 2, 4, 4],
        deps=["nsubj", "dep", "root", "punct", "root", "dep"],
        starts=[0, 4],
        noun_chunks=[(0, 2), (4, 6), (4, 5)],
    )
    sentence = assemble(text, analysis, "en", "ud", "x")
    assert sentence.words == ("a", "b", ".", "c")
    assert sentence.spaces == (True, False, True, False)
    assert sentence.heads == (1, 1, 1, 3)
    assert sentence.starts == (0, 3)
    assert sentence.noun_chunks == ((0, 1), (3, 4))
    assert sentence.text == text
    assert sentence.id == "x"


def test_two_children_of_a_blank_root_make_one_tree() -> None:
    analysis = Analysis(
        [(0, 1), (1, 2), (2, 3)], ["X", "SPACE", "X"], [1, 1, 1], ["a", "r", "b"], [0]
    )
    assert assemble("a b", analysis, "en", "", "").heads == (0, 0)


def test_nothing() -> None:
    sentence = assemble("", Analysis([], [], [], [], []), "en", "ud", "")
    assert (sentence.words, sentence.starts, sentence.text) == ((), (0,), "")


def test_contractions_become_what_is_written() -> None:
    """Text "Don't go au parc" with do|n't kept apart and à|le as one word."""
    tokens = [
        Token(0, 5, (Word("Do", "AUX", 2, "aux"), Word("n't", "PART", 2, "advmod"))),
        Token(6, 8, (Word("go", "VERB", -1, "root"),)),
        Token(9, 11, (Word("à", "ADP", 5, "case"), Word("le", "DET", 5, "det"))),
        Token(12, 16, (Word("parc", "NOUN", 2, "obl"),)),
    ]
    sentence = sentence_of("Don't go au parc", [tokens], "fr", "ud", "7")
    assert sentence.words == ("Do", "n't", "go", "au", "parc")
    assert sentence.heads == (2, 2, 2, 4, 2)
    assert sentence.text == "Don't go au parc"
    again = sentence_of(
        "Don't go au parc go", [tokens, [Token(17, 19, tokens[1].words)]], "fr", "", ""
    )
    assert again.starts == (0, 5)
    assert again.text == "Don't go au parc go"
