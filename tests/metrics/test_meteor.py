"""METEOR by nltk with the language's stemmer, and METEOR 1.5 where its program is there."""

from __future__ import annotations

import os

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.metrics.meteor import METEOR, METEOR15

from .texts import ODD_PAIRS, real_pairs

nltk = pytest.importorskip("nltk.translate.meteor_score")


class _NoSynonyms:
    def synsets(self, word: str) -> list[object]:
        return []


@pytest.mark.parametrize(
    ("language", "stemmer"),
    [("de", "german"), ("ru", "russian"), ("fr", "french"), ("es", "spanish"), ("it", "italian")],
)
def test_equal_to_nltk_with_the_stemmer(language: str, stemmer: str) -> None:
    snowball = pytest.importorskip("nltk.stem.snowball").SnowballStemmer(stemmer)
    pairs = real_pairs(language, 40) + ODD_PAIRS
    hypotheses, references = map(list, zip(*pairs, strict=True))
    metric = METEOR(tokens="parsed").for_language(language)
    expected = [
        nltk.single_meteor_score(r.split(), h.split(), stemmer=snowball, wordnet=_NoSynonyms())
        for h, r in pairs
    ]
    np.testing.assert_allclose(metric.sentence_scores(hypotheses, references), expected)
    assert f"stem:{stemmer}|synonyms:none" in metric.signature("sentence")


def test_stems_match_where_words_do_not() -> None:
    pair = ["die Häuser stehen dort"], ["das Haus stand dort"]
    german = METEOR(language="de").sentence_scores(*pair)[0]
    plain = METEOR(language="ja", tokens="parsed").sentence_scores(*pair)[0]
    assert 0 < plain < german


# The worked example of Lavie and Agarwal as nltk's documentation prints it, with WordNet: 0.6944
def test_synonyms_where_wordnet_is_installed() -> None:
    metric = METEOR(tokens="parsed")
    if "synonyms:none" in metric.signature("sentence"):
        pytest.skip("WordNet is not installed")
    score = metric.sentence_scores(
        [
            "It is a guide to action which ensures that the military always obeys the commands "
            "of the party"
        ],
        ["It is a guide to action that ensures that the military will forever heed Party commands"],
    )
    assert score[0] == pytest.approx(0.6944, abs=1e-4)


# Segment and corpus scores that `java -jar meteor-1.5.jar … -stdio -l en -norm` prints.
def test_the_java_program() -> None:
    if "METEOR_JAR" not in os.environ:
        pytest.skip("METEOR_JAR does not name the program")
    hypotheses = ["the cats sit on the mat .", "c d", "It is a guide ."]
    references = ["The cat sat on the mat .", "a b", "It is a guide ."]
    metric = METEOR15()
    np.testing.assert_allclose(
        metric.sentence_scores(hypotheses, references), [0.8615384615384615, 0.0, 1.0]
    )
    assert metric.corpus_score(hypotheses[:2], references[:2]) == pytest.approx(0.6473988439306358)
    assert metric.corpus_score(hypotheses[::2], references[::2]) == pytest.approx(0.91)


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/java")
    monkeypatch.setenv("METEOR_JAR", "/nowhere/meteor.jar")
    with pytest.raises(HyperbatonError, match=r"'/nowhere/meteor\.jar', which is not a file"):
        METEOR15().sentence_scores(["a"], ["a"])
    monkeypatch.delenv("METEOR_JAR")
    monkeypatch.setattr("hyperbaton.metrics.meteor.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="set METEOR_JAR"):
        METEOR15().sentence_scores(["a"], ["a"])
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(MissingExtra, match="needs Java"):
        METEOR15().sentence_scores(["a"], ["a"])
