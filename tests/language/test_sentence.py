"""Sentences give their text back, in any order of their words, spaced as they are written."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import Sentence, expand, inverse, is_permutation


def _sentence(marked: str, language: str) -> Sentence:
    """Words parted by bars where nothing stands between them and by bars with a space else."""
    words, spaces = [], []
    for piece in marked.split("|"):
        words.append(piece.rstrip(" "))
        spaces.append(piece.endswith(" "))
    return Sentence(tuple(words), tuple(spaces), language)


SPACING = [
    # Parts that still stand together are written together.
    ("en", "I |could|n't |go|.", (3, 1, 2, 0, 4), "go couldn't I."),
    ("en", "I |could|n't |go|.", (2, 1, 3, 0, 4), "n't could go I."),
    # Marks cling to the side they clung to.
    ("en", "Yes|, |I |do|.", (2, 3, 0, 1, 4), "I do Yes,."),
    ("en", "He |said|: |“|No|!|”", (4, 1, 2, 3, 0, 5, 6), "No said: “He!”"),
    ("en", 'He |said |"|no|" |again|.', (5, 2, 3, 4, 1, 0, 6), 'again "no" said He.'),
    ("en", "a |(|b|) |c", (4, 1, 2, 3, 0), "c (b) a"),
    ("de", "Er |kam|, |sah |und |ging|.", (5, 1, 2, 0, 4, 3, 6), "ging kam, Er und sah."),
    ("de", "„|Komm|“|, |rief |er|.", (5, 4, 0, 1, 2, 3, 6), "er rief „Komm“,."),
    ("fr", "L'|eau |est |là |!", (2, 0, 1, 3, 4), "est L'eau là !"),
    # An elided word is written onto whatever follows, a clitic onto whatever stands before it.
    ("fr", "L'|eau |est |là |!", (1, 0, 2, 3, 4), "eau L'est là !"),
    ("fr", "Elle |n’|a |pas |dit |où|.", (0, 2, 3, 1, 4, 5, 6), "Elle a pas n’dit où."),
    ("fr", "va|-t-|il |bien |?", (0, 3, 1, 2, 4), "va bien-t-il ?"),
    ("fr", "Y |a|-t|-il |de |l'|eau |?", (0, 1, 4, 3, 2, 6, 5, 7), "Y a de-il-t eau l' ?"),
    ("fr", "Dis |: |l'|un |ou |l'|autre", (0, 3, 2, 1, 4, 6, 5), "Dis un l' : ou autre l'"),
    ("it", "Vedo |l'|uomo |– |io|.", (0, 2, 1, 3, 4, 5), "Vedo uomo l' – io."),
    ("it", "Vedo |l'|uomo|, |io|.", (0, 2, 1, 3, 4, 5), "Vedo uomo l', io."),
    ("it", "la |casa |dell'|uomo |alto|.", (0, 1, 2, 4, 3, 5), "la casa dell'alto uomo."),
    ("it", "Dormi |un |po'|.", (2, 0, 1, 3), "po' Dormi un."),
    ("it", "un |po' |di |pane|.", (2, 1, 0, 3, 4), "di po' un pane."),
    ("en", "after |Smith|'s |death|.", (0, 2, 1, 3, 4), "after's Smith death."),
    ("en", "I |could|n't |go|.", (0, 2, 3, 1, 4), "I n't go could."),
    ("en", "the |dogs|' |tails|.", (0, 3, 2, 1, 4), "the tails' dogs."),
    ("en", "a |well|-|known |man|.", (0, 4, 2, 3, 1, 5), "a man-known well."),
    ("en", "in |Marat|/|Sade |now|.", (3, 0, 2, 1, 4, 5), "Sade in/Marat now."),
    ("en", "from |£|3|-|£|5 |on|.", (0, 5, 3, 1, 2, 4, 6, 7), "from 5-£3 £ on."),
    ("de", "Vor|- |und |Nachteile|.", (3, 1, 2, 0, 4), "Nachteile- und Vor."),
    ("de", "Die |DNA|-|Analyse |hilft|.", (0, 4, 2, 3, 1, 5), "Die hilft-Analyse DNA."),
    ("de", "Er |bekam |Ost|-|, |Westgeld|.", (0, 2, 1, 3, 4, 5, 6), "Er Ost bekam-, Westgeld."),
    # “ closes in German, « in some German books.
    ("de", "„|Nein|“|, |sagte |er|.", (0, 4, 2, 3, 1, 5, 6), "„sagte“, Nein er."),
    ("de", "»|Nein|«|, |sagte |er|.", (0, 4, 2, 3, 1, 5, 6), "»sagte«, Nein er."),
    ("fr", "va|-t-|il |bien |?", (3, 0, 1, 2, 4), "bien va-t-il ?"),
    ("ru", "Он |сказал|: |«|Да|».", (1, 0, 2, 3, 4, 5), "сказал Он: «Да»."),
    ("es", "¿|Qué |es |esto|?", (3, 0, 1, 2, 4), "esto ¿Qué es?"),
    # No spaces, but Latin words and numbers do not run together.
    ("ja", "私|は|本|を|読む|。", (4, 0, 1, 2, 3, 5), "読む私は本を。"),
    ("ja", "Tom|は|iPhone|を|見た|。", (0, 2, 1, 3, 4, 5), "Tom iPhoneはを見た。"),
    ("zh", "我|爱|你|。", (2, 1, 0, 3), "你爱我。"),
    ("zh", "在|Windows |95|上|。", (2, 1, 0, 3, 4), "95 Windows在上。"),
    ("zh", "在|Windows |95|上|。", (3, 1, 2, 0, 4), "上Windows 95在。"),
    ("zh", "他|说|“|好|”|。", (2, 3, 4, 1, 0, 5), "“好”说他。"),
]


@pytest.mark.parametrize(("language", "marked", "order", "expected"), SPACING)
def test_spacing(language: str, marked: str, order: tuple[int, ...], expected: str) -> None:
    sentence = _sentence(marked, language)
    assert sentence.text == marked.replace("|", "")
    assert sentence.arrange(order) == expected


WORDS = st.sampled_from(
    ["a", "Haus", "n't", ".", ",", "(", ")", "“", '"', "我", "本", "3", "", "-"]
)
LANGUAGES = st.sampled_from(["en", "de", "fr", "ru", "ja", "zh", "und"])


@st.composite
def ordered(draw: st.DrawFn) -> tuple[Sentence, tuple[int, ...]]:
    words = draw(st.lists(WORDS, max_size=90))
    spaces = draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    order = draw(st.permutations(range(len(words))))
    return Sentence(tuple(words), tuple(spaces), draw(LANGUAGES)), tuple(order)


@given(ordered())
def test_nothing_is_lost_in_any_order(case: tuple[Sentence, tuple[int, ...]]) -> None:
    sentence, order = case
    assert sentence.arrange(range(len(sentence))) == sentence.text
    text = sentence.arrange(order)
    assert text.replace(" ", "") == "".join(sentence.words[i] for i in order)
    assert "  " not in text or "" in sentence.words


@given(ordered())
def test_gaps_are_those_of_the_rule(case: tuple[Sentence, tuple[int, ...]]) -> None:
    """The fast way to write a text against the rule itself, gap by gap."""
    sentence, order = case
    parts = [sentence._before(a, b) for a, b in pairwise(order)]
    assert sentence.arrange(order) == "".join([*parts, *(sentence.words[i] for i in order[-1:])])


@given(st.permutations(range(12)), st.lists(st.integers(0, 5), min_size=12, max_size=12))
def test_orders(order: list[int], lengths: list[int]) -> None:
    assert [order[i] for i in inverse(order)] == list(range(12))
    assert inverse(inverse(order)) == tuple(order)
    characters = expand(order, lengths)
    assert is_permutation(characters, sum(lengths))
    units = [[(i, k) for k in range(length)] for i, length in enumerate(lengths)]
    flat = [character for unit in units for character in unit]
    assert [flat[i] for i in characters] == [c for i in order for c in units[i]]


def test_is_permutation() -> None:
    assert is_permutation((), 0)
    assert not is_permutation((0, 2), 2)
    assert not is_permutation((0, 1), 3)
    assert not is_permutation((-1, 0), 2)


def test_several_sentences() -> None:
    two = Sentence(("Go", "!", "Run", "!"), (False, True, False, False), "en", starts=(0, 2))
    assert two.spans == ((0, 2), (2, 4))
    assert two.text == "Go! Run!"
    assert Sentence((), ()).spans == ((0, 0),)
    assert Sentence((), ()).text == ""


def test_movable_words() -> None:
    tagged = Sentence(("a", "b", "c"), (True, True, False), upos=("X", "VERB", "VERB"))
    assert tagged.movable == {"X": [0], "VERB": [1]}
    assert Sentence(("a",), (False,)).movable == {}


def test_the_name_is_no_part_of_the_value() -> None:
    assert Sentence(("a",), (False,), id="1") == Sentence(("a",), (False,), id="2")
    assert len({Sentence(("a",), (False,), id=str(i)) for i in range(3)}) == 1


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"upos": ("X",)}, "2 words but 1 in upos"),
        ({"deps": ("a", "b", "c")}, "2 words but 3 in deps"),
        ({"heads": (0, 2)}, "points outside"),
        ({"heads": (0, -1)}, "points outside"),
        ({"starts": (1,)}, "out of order"),
        ({"starts": (0, 0)}, "out of order"),
        ({"starts": (0, 2)}, "out of order"),
        ({"starts": ()}, "out of order"),
    ],
)
def test_broken_columns_are_named(columns: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(HyperbatonError, match=f"sentence 'x': .*{message}"):
        Sentence(("a", "b"), (True, False), id="x", **columns)  # type: ignore[arg-type]
