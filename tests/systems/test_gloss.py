"""The word-for-word dictionary: every word where it stood."""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.starter import starter
from hyperbaton.language.dictionary import FOLDER, Lexicon, read_lexicon
from hyperbaton.language.languages import writes_spaces
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import has_words
from hyperbaton.systems.shipped.gloss import Gloss, GlossTranslator, tokens
from hyperbaton.systems.system import SYSTEMS

OTHERS = ("de", "fr", "es", "it", "ru", "ja", "zh")
PAIRS = [pair for other in OTHERS for pair in (("en", other), (other, "en"))]


@cache
def opened(source: str, target: str) -> GlossTranslator:
    translator = SYSTEMS.parse("gloss").open(source, target)
    assert isinstance(translator, GlossTranslator)
    return translator


def gloss(text: str, source: str, target: str) -> str:
    return opened(source, target).gloss(text)


def coverage(source: str, target: str) -> float:
    """The share of words of the starter corpus that the dictionary has; numbers need no entry."""
    translator = opened(source, target)
    words = [
        token.text
        for item in starter(source, None)
        for token in translator.words(item.source_text)
        if any(map(str.isalpha, token.text))
    ]
    return sum(translator.lexicon.find(word) is not None for word in words) / len(words)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_direction_ships(source: str, target: str) -> None:
    translator = opened(source, target)
    assert len(translator.lexicon.entries) > 4000
    assert translator.signature == opened.__wrapped__(source, target).signature
    assert translator.signature.startswith(f"gloss|{source}-{target}|lexicon:")


def test_the_dictionaries_are_small() -> None:
    files = list(FOLDER.glob("*.tsv.xz"))
    assert len(files) == len(PAIRS)
    assert sum(file.stat().st_size for file in files) < 3_000_000


CAT = "The cat drinks milk."
BOOK = "I read the new book in the garden."


@pytest.mark.parametrize(
    ("target", "text", "expected"),
    [
        ("de", CAT, ["Katze", "trinkt", "Milch"]),
        ("fr", CAT, ["chat", "boit", "lait"]),
        ("es", CAT, ["gato", "bebe", "leche"]),
        ("it", CAT, ["gatto", "beve", "latte"]),
        ("ru", CAT, ["кошка", "пьёт", "молоко"]),
        ("ja", CAT, ["猫", "飲", "牛乳"]),
        ("zh", CAT, ["猫", "喝", "牛奶"]),
        ("de", BOOK, ["Ich", "Buch", "in", "Garten"]),
        ("fr", BOOK, ["livre", "dans", "jardin"]),
        ("es", BOOK, ["libro", "en", "jardín"]),
        ("it", BOOK, ["libro", "giardino"]),
        ("ru", BOOK, ["Я", "книгу", "в", "саду"]),
        ("ja", BOOK, ["私", "本", "庭"]),
        ("zh", BOOK, ["我", "书", "花园"]),
    ],
)
def test_from_english(target: str, text: str, expected: list[str]) -> None:
    _in_order(gloss(text, "en", target), expected)


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("de", "Die Katze trinkt Milch.", ["The", "cat", "drink", "milk"]),
        ("fr", "Le chat boit du lait.", ["The", "cat", "drink", "milk"]),
        ("es", "El gato bebe leche.", ["The", "cat", "drink", "milk"]),
        ("it", "Il gatto beve il latte.", ["The", "cat", "drink", "milk"]),
        ("ru", "Кошка пьёт молоко.", ["Cat", "drink", "milk"]),
        ("ja", "猫は牛乳を飲む。", ["cat", "milk", "drink"]),
        ("zh", "猫喝牛奶。", ["cat", "drink", "milk"]),
        ("zh", "我不知道你在哪里。", ["I", "not", "know", "you", "where"]),
        ("zh", "貓喝牛奶，我說。", ["cat", "drink", "milk", ",", "I", "sa", "."]),
    ],
)
def test_to_english(source: str, text: str, expected: list[str]) -> None:
    _in_order(gloss(text, source, "en"), expected)


def _in_order(text: str, expected: list[str]) -> None:
    at = 0
    for word in expected:
        assert word.lower() in text.lower()[at:], text
        at = text.lower().index(word.lower(), at) + len(word)


@cache
def plain_words(source: str, target: str) -> list[str]:
    """Frequent words that are written apart from their neighbours on both sides."""
    entries = list(opened(source, target).lexicon.entries.items())[:2000]
    return [
        word
        for word, translation in entries
        if word.isalpha() and word.islower() and translation.isalpha()
        if [token.text for token in tokens(word, source)] == [word]
    ]


@given(st.data())
def test_the_gloss_of_words_in_another_order_is_the_gloss_in_that_order(
    data: st.DataObject,
) -> None:
    pair = data.draw(st.sampled_from([p for p in PAIRS if all(map(writes_spaces, p))]))
    words = data.draw(st.lists(st.sampled_from(plain_words(*pair)), min_size=1, max_size=12))
    order = data.draw(st.permutations(range(len(words))))
    glosses = gloss(" ".join(words), *pair).split()
    assert len(glosses) == len(words)
    varied = gloss(" ".join(words[i] for i in order), *pair).split()
    assert varied == [glosses[i] for i in order]


@given(st.data())
def test_order_is_kept_where_no_spaces_are_written(data: st.DataObject) -> None:
    pair = data.draw(st.sampled_from([("en", "ja"), ("en", "zh")]))
    words = data.draw(st.lists(st.sampled_from(plain_words(*pair)), min_size=1, max_size=12))
    each = [gloss(word, *pair) for word in words]
    assert gloss(" ".join(words), *pair) == "".join(each)
    assert gloss(" ".join(reversed(words)), *pair) == "".join(reversed(each))


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_word_and_mark_of_the_starter_corpus_keeps_its_place(
    source: str, target: str
) -> None:
    translator = opened(source, target)
    for item in starter(source, None):
        text = item.source_text
        found = translator.gloss(text)
        assert any(map(has_words, found)), text
        rest = found.lower()
        for token in translator.words(text):
            piece = translator.piece(token.text).lower()
            if piece and piece != '"':
                before, here, rest = rest.partition(piece)
                assert here, (text, found, piece)
                assert not has_words(before), (text, found, piece)


@pytest.mark.parametrize(
    ("source", "target", "floor"),
    [
        ("en", "de", 0.0),
    ],
)
def test_coverage(source: str, target: str, floor: float) -> None:
    assert coverage(source, target) >= floor


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_unknown_words_survive(source: str, target: str) -> None:
    text = "Qwrtzk 3.14 Vbnmx-Qwrtzk ლოგიკა"
    assert gloss(text, source, target) == text


def test_a_hyphen_parts_what_is_unknown() -> None:
    assert gloss("a cat-milk-qwrtzk", "en", "de").split("-", 1)[1] == "Milch-qwrtzk"


def test_words_that_are_left_out_are_not_all_there_is() -> None:
    translator = GlossTranslator(Lexicon({"the": "", "cat": "Katze"}), "en", "de", "test")
    assert translator.gloss("the cat the") == "Katze"
    assert translator.gloss("The the!") == "The the!"


def test_case() -> None:
    assert gloss("Milk and MILK", "en", "fr") == "Lait et LAIT"
    assert gloss("The house", "en", "de").endswith("Haus")
    assert gloss("Haus", "de", "en") == "House"
    assert gloss("das Haus", "de", "en").endswith("house")
    assert gloss("Tom lives in Boston.", "en", "fr").startswith("Tom")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("de", '"Milch", "Milch" (Milch): Milch; Milch! Milch?'),
        ("fr", '"Lait", "lait" (lait) : lait ; lait ! Lait ?'),
        ("ja", "「牛乳」、「牛乳」（牛乳）：牛乳；牛乳！牛乳？"),
        ("zh", "“牛奶”，“牛奶”（牛奶）：牛奶；牛奶！牛奶？"),
    ],
)
def test_marks(target: str, expected: str) -> None:
    text = '“Milk”, "milk" (milk): milk; milk! Milk?'
    assert gloss(text, "en", target) == expected


def test_marks_of_the_source_go() -> None:
    assert gloss("¿Leche?", "es", "en") == "Milk?"
    assert gloss("« Lait »", "fr", "en") == '"Milk"'
    assert gloss("「牛乳」。牛乳？", "ja", "en") == '"Milk". Milk?'


@pytest.mark.parametrize("text", ["", "  ", "...", "?!", "—"])
def test_texts_without_words(text: str) -> None:
    assert len(gloss(text, "en", "de")) <= len(text)
    assert not has_words(gloss(text, "ja", "en"))
    with Gloss().open("en", "de") as translator:
        answers = list(translate_all(translator, [text, CAT, text]))
    assert [answer.fault for answer in answers] == ["", "", ""]
    assert answers[0] == answers[2]


@given(st.text(), st.sampled_from(PAIRS))
def test_any_text_is_answered_with_one_line(text: str, pair: tuple[str, str]) -> None:
    answer = gloss(text, *pair)
    assert answer == gloss(text, *pair)
    assert len(answer.splitlines()) <= 1


@pytest.mark.parametrize(("source", "target"), [("de", "fr"), ("en", "ko"), ("en", "en")])
def test_a_pair_without_dictionary(source: str, target: str) -> None:
    with pytest.raises(HyperbatonError, match=rf"no dictionary for {source}-{target}") as caught:
        Gloss().open(source, target)
    assert "\n" not in str(caught.value)


def test_regions_and_scripts_are_read() -> None:
    with Gloss().open("en_US", "zh-Hans") as translator:
        assert translator.translate([CAT]) == opened("en", "zh").translate([CAT])


def test_the_signature_has_the_dictionary_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "en-de.tsv.xz"
    monkeypatch.setattr("hyperbaton.systems.shipped.gloss.FOLDER", tmp_path)
    found = []
    for word in ("Haus", "Gebäude"):
        file.write_bytes(lzma.compress(f"house\t{word}\n".encode()))
        read_lexicon.cache_clear()
        assert read_lexicon(file).find("house") == word
        found.append(Gloss().open("en", "de").signature)
    assert found[0] != found[1]
