"""The starter corpus: its texts are clean, its parses spell them, every perturbation has work."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.conllu import read_blocks
from hyperbaton.corpus.starter import FOLDER, STARTER_LANGUAGES, starter
from hyperbaton.language.dependency_trees import cycle
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Perturbation, parse_all, perturb

TRADITIONAL = frozenset(
    "個們來時會說這國學為對話發經點過還裡麼後開關車東長門間問聽見買賣讀書寫飯館電腦網錢銀頭臉腳"
    "愛樂歲歡號應該實現離種聲語樣氣話從兩幾給讓張條雙邊處數體覺認識請謝難師園歸當進運遠選遲連達"
)
E_FOR_YO = re.compile(
    r"\b(?:еще|ее|нее|идет|живет|поет|пьет|ждешь|своем|моем|твоем|мое|твое|тетя|тете|нашел|ушел"
    r"|четырех|звезды|меда?|(?:тепл|черн|темн|желт|тяжел|зелен|дешев)(?:ы[йе]|ая|о[ейг]|ую)\w*)\b",
    re.IGNORECASE,
)
PAIRS = {"«": "»", "„": "“", "「": "」"}
SPARE = {"functionalShuffle": 25, "adverbVerbSwap": 60}
"""Perturbations that few sentences of some language allow: Chinese has few function words."""


@cache
def table() -> tuple[list[str], list[dict[str, str]]]:
    """The header and the rows of the texts."""
    lines = (FOLDER / "starter.tsv").read_text("utf-8").split("\n")
    assert lines.pop() == ""
    header = lines[0].split("\t")
    return header, [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]


def column(language: str) -> list[str]:
    return [row[language] for row in table()[1]]


def sentences(language: str) -> list[Sentence]:
    found = [item.source for item in starter(language, None)]
    return [sentence for sentence in found if isinstance(sentence, Sentence)]


def test_columns_ids_and_tags() -> None:
    header, rows = table()
    assert header == ["id", "tag", *STARTER_LANGUAGES]
    assert len(STARTER_LANGUAGES) == 8
    assert [row["id"] for row in rows] == [f"s{number:03}" for number in range(1, len(rows) + 1)]
    tags = Counter(row["tag"] for row in rows)
    assert len(rows) == 200
    assert len(tags) == 20
    assert set(tags.values()) == {10}


@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_cells_are_clean(language: str) -> None:
    texts = column(language)
    assert all(texts)
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert text == " ".join(text.split())
        assert unicodedata.is_normalized("NFC", text)
        assert all(c == " " or unicodedata.category(c)[0] in "LNPM" for c in text), text
        ending = text.rstrip('"”“»」 ')
        assert text[-1] in ".?!。？！" or ending[-1] in ".?!。？！", text


@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_quotation_marks_close(language: str) -> None:
    for text in column(language):
        for opening, closing in PAIRS.items():
            assert text.count(opening) == text.count(closing) or language == "zh", text
        assert text.count('"') % 2 == 0
        assert language == "en" or '"' not in text
        if language == "zh":
            assert text.count("“") == text.count("”"), text


def test_scripts() -> None:
    for text in column("ru"):
        letters = [c for c in text if c.isalpha()]
        assert all("CYRILLIC" in unicodedata.name(c) for c in letters), text
        assert not E_FOR_YO.search(text), text
    for text in column("ja"):
        assert re.search(r"[\u3040-\u30ff]", text), text
        assert not re.search(r"[A-Za-z,.?!:;\"' ]", text), text
    for text in column("zh"):
        assert all("CJK" in unicodedata.name(c) for c in text if c.isalpha()), text
        assert not re.search(r"[A-Za-z,.?!:;\"' \u3040-\u30ff]", text), text
        assert not TRADITIONAL & set(text), text
    for language in ("en", "de", "fr", "es", "it"):
        for text in column(language):
            assert all("LATIN" in unicodedata.name(c) for c in text if c.isalpha()), text


def test_typography_of_each_language() -> None:
    for text in column("fr"):
        assert not re.search(r"[^ ][?!:;»]|«[^ ]|[’\u00a0\u202f]", text), text
    for text in column("es"):
        assert text.count("¿") == text.count("?"), text
        assert text.count("¡") == text.count("!"), text
    for language in ("en", "de", "es", "it", "ru"):
        for text in column(language):
            assert not re.search(r" [,.?!:;»]", text), text


def test_numerals_agree_across_languages() -> None:
    for row in table()[1]:
        digits = {language: re.findall(r"\d+", row[language]) for language in STARTER_LANGUAGES}
        assert len({tuple(found) for found in digits.values()}) == 1, row["id"]


@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_parses_spell_the_texts(language: str) -> None:
    rows = table()[1]
    parsed = sentences(language)
    assert [s.id for s in parsed] == [row["id"] for row in rows]
    assert [s.text for s in parsed] == [row[language] for row in rows]
    assert {s.language for s in parsed} == {language}
    for row, sentence in zip(rows, parsed, strict=True):
        assert len(sentence.spans) == (2 if row["tag"] == "two-sentences" else 1), row["id"]


@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_parses_are_trees(language: str) -> None:
    schemes = {sentence.scheme for sentence in sentences(language)}
    assert schemes == {"clear" if language == "en" else "ud"}
    for s in sentences(language):
        assert s.upos is not None
        assert s.heads is not None
        assert s.deps is not None
        assert not cycle(s.heads)
        for start, end in s.spans:
            assert sum(s.heads[i] == i for i in range(start, end)) == 1
            assert all(start <= head < end for head in s.heads[start:end])
            assert s.upos[end - 1] == "PUNCT", s.text
        for word, upos in zip(s.words, s.upos, strict=True):
            mark = all(unicodedata.category(c)[0] == "P" for c in word)
            assert mark == (upos == "PUNCT"), (s.id, word, upos)
        # Noun chunks must be stored, since the core has no spaCy to find them.
        assert (s.noun_chunks is not None) == (language == "en")


@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_parser_is_named_and_tags_agree(language: str) -> None:
    tags = {row["id"]: row["tag"] for row in table()[1]}
    corrected = 0
    for block in read_blocks(FOLDER / f"{language}.conllu"):
        values = block.values
        assert re.match(r"(spacy:\w+|natasha)\|version:\d", values["parser"])
        assert values["tag"] == tags[values["sent_id"].split("-")[0]]
        corrected += "corrected" in values
    assert corrected > 0


@cache
def wordorder() -> tuple[Perturbation, ...]:
    return tuple(parse_all(["wordorder"]))


@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_every_perturbation_applies_often(language: str) -> None:
    assert len(wordorder()) == 16
    for perturbation in wordorder():
        variants = [perturb(sentence, perturbation) for sentence in sentences(language)]
        applied = [variant for variant in variants if variant is not None]
        least = SPARE.get(perturbation.name, 95)
        assert len(applied) >= least, (perturbation.name, len(applied))
        changed = sum(variant.changed for variant in applied)
        assert changed >= 0.6 * len(applied), (perturbation.name, changed, len(applied))


@pytest.mark.parametrize("language", STARTER_LANGUAGES)
def test_lengths_are_everyday(language: str) -> None:
    sizes = [len(sentence) for sentence in sentences(language)]
    assert 10 <= sum(sizes) / len(sizes) <= 16
    assert sum(6 <= size <= 16 for size in sizes) >= 130
    assert sum(size > 16 for size in sizes) >= 8
    assert sum(size <= 6 for size in sizes) >= 5


def test_items_pair_source_and_reference() -> None:
    items = starter("en", "ja")
    rows = table()[1]
    assert [(i.id, i.source_text, i.reference_text) for i in items] == [
        (row["id"], row["en"], row["ja"]) for row in rows
    ]
    assert [dict(i.columns) for i in items] == [{"tag": row["tag"]} for row in rows]
    assert {item.reference for item in starter("zh-Hans", None)} == {None}
    assert starter("it", "ru")[0].source_text == rows[0]["it"]


def test_other_languages_are_refused() -> None:
    with pytest.raises(HyperbatonError, match=r"not in 'nl'.*en, de"):
        starter("en", "nl")
