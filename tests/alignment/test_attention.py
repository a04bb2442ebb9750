"""Links by attention: pieces find their words, and the links agree with links set by hand."""

from __future__ import annotations

import numpy as np
import pytest

from hyperbaton.alignment import ALIGNERS
from hyperbaton.alignment.attention import Attention, links, owners
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.ct2.system import Attended
from tests.alignment.checked import LANGUAGES, agreement, checked, words

MEASURED = {"de": (0.93, 0.78), "fr": (0.93, 0.80), "ru": (0.91, 0.70), "ja": (0.86, 0.66)}
"""As measured (docs/alignment.md), less what another processor may change."""


@pytest.mark.parametrize(
    ("pieces", "text", "expected"),
    [
        (["▁Don", "'", "t", "▁go", ".", "</s>"], ["Do", "n't", "go", "."], None),
        (["▁Do", "n", "'", "t", "▁go", "."], ["Do", "n't", "go", "."], [0, 1, 1, 1, 2, 3]),
        (["play", "##ing", "!"], ["Playing", "!"], [0, 0, 1]),
        (["un@@", "heard"], ["unheard"], [0, 0]),
        (["▁", "猫", "が", "鳴", "く"], ["猫", "が", "鳴く"], [None, 0, 1, 2, 2]),
        (["▁..."], ["…"], [0]),
        (["▁other"], ["words"], None),
    ],
)
def test_pieces_find_their_words(
    pieces: list[str], text: list[str], expected: list[int | None] | None
) -> None:
    if (
        expected is None and pieces[0] == "▁Don"
    ):  # a piece may begin in one word and end in the next
        assert owners(pieces, text) == [0, 1, 1, 2, 3, None]
    else:
        assert owners(pieces, text) == expected


def test_the_word_that_is_looked_at_most() -> None:
    rows = np.array([[0.1, 0.2, 0.6, 0.1], [0.5, 0.3, 0.1, 0.1], [0.0, 0.1, 0.1, 0.8]], np.float32)
    attended = Attended("b a.", ("▁A", "a", "▁B", "."), ("▁b", "▁a", "."), rows)
    assert links((("Aa", "B", "."), ("b", "a", ".")), attended) == ((0, 1), (1, 0), (2, 2))


def test_what_does_not_fit_has_no_links() -> None:
    pairs = [((), ()), (("go",), ()), (("word",) * 400, ("Wort",)), (("go", "!"), ("geh", "!"))]
    found = Attention("bundled").align(pairs, "en", "de")
    assert found[:3] == [(), (), ()]
    assert (1, 1) in found[3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_agreement_with_links_set_by_hand(language: str) -> None:
    sources, targets = words("en"), words(language)
    items = list(checked(language))
    pairs = [(sources[item], targets[item]) for item in items]
    found = ALIGNERS.parse("attention(system=bundled)").align(pairs, "en", language)
    right, set_, sure, all_sure = agreement(language, dict(zip(items, found, strict=True)))
    precision, recall = MEASURED[language]
    assert right / set_ >= precision
    assert sure / all_sure >= recall


@pytest.mark.parametrize(
    ("spec", "words_"),
    [("attention", "name the translator"), ("attention(system=gloss)", "bundled, ct2: and argos:")],
)
def test_a_translator_without_attention_is_named(spec: str, words_: str) -> None:
    with pytest.raises(HyperbatonError, match=words_):
        ALIGNERS.parse(spec).align([(("a",), ("b",))], "en", "de")


def test_the_texts_as_they_are_go_to_the_translator() -> None:
    """Words are put together only where nobody has the text; pieces of another one do not fit."""
    pair = (["The", "dog", "sleeps", "."], ["Der", "Hund", "schläft", "."])
    attention = Attention(system="bundled")
    written = [("The dog  sleeps .", "Der Hund schläft .")]
    [own] = attention.align([pair], "en", "de", written)
    assert (1, 1) in own
    assert attention.align([pair], "en", "de", [("A cat.", "Eine Katze.")]) == [()]
