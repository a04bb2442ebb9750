"""Cross-likelihood by hand on a word-for-word translator, and on a real one where it is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hyperbaton.detectors.calibration import Similarities
from hyperbaton.detectors.likelihood import cross_likelihoods

TRIAL = Path(__file__).parents[2].parent / "shared" / "models" / "trial"


@dataclass
class Upper:
    """Translates into capitals; a word of the source has probability 1/2, any other 1/16."""

    translated: list[str] = field(default_factory=list)
    scored: list[tuple[str, str]] = field(default_factory=list)

    def translate(self, texts: Sequence[str]) -> list[str]:
        self.translated += texts
        return [text.upper() for text in texts]

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[list[float]]:
        self.scored += zip(sources, targets, strict=True)
        return [
            [
                math.log(1 / 2 if word.lower() in source.split() else 1 / 16)
                for word in target.split()
            ]
            for source, target in zip(sources, targets, strict=True)
        ]


def _found(scorer: Any, pairs: Sequence[tuple[str, str]]) -> Similarities:
    return cross_likelihoods(pairs, scorer.translate, scorer.score)


def test_both_directions_by_hand() -> None:
    # a = "the cat sat", b = "the dog sat down": a explains two of b's four words, b two of three.
    # P(B|a) = (1/2² · 1/16²)^(1/4) = 2^-2.5; P(A|b) = (1/2² · 1/16)^(1/3) = 2^-2; both over 1/2.
    expected = (2**-2.5 + 2**-2) / 2 / 2**-1
    one, other = "the cat sat", "the dog sat down"
    found = _found(Upper(), [(one, other), ("x", "x"), (other, one)])
    assert found == pytest.approx([expected, 1.0, expected])


def test_equal_to_the_nmtscore_package() -> None:
    """What nmtscore 0.3.3 gave for the same translator; it takes 2 to the natural logarithms."""

    class Halved(Upper):
        def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[list[float]]:
            rows = super().score(sources, targets)
            return [[math.log(2) * number for number in row] for row in rows]

    a, b = ["the cat sat", "a b c", "x y"], ["the dog sat down", "a c", "y z x w"]
    expected = [0.5524623738973454, 0.809251568900788, 0.7432108049965573]
    found = _found(Halved(), list(zip(a, b, strict=True)))
    assert found == pytest.approx(expected, rel=1e-12)


def test_nothing_is_asked_twice() -> None:
    scorer = Upper()
    _found(scorer, [("a b", "c"), ("a b", "c"), ("c", "a b")] * 3)
    assert sorted(scorer.translated) == ["a b", "c"]
    assert len(scorer.scored) == len(set(scorer.scored)) == 4


def test_empty_texts() -> None:
    assert _found(Upper(), [("", "")]).tolist() == [1.0]
    assert _found(Upper(), []).shape == (0,)


@pytest.mark.skipif(not TRIAL.exists(), reason="needs ../shared")
def test_a_real_translator_prefers_the_paraphrase() -> None:
    import ctranslate2
    import sentencepiece

    pieces = sentencepiece.SentencePieceProcessor(str(TRIAL / "source.spm"))
    engine = ctranslate2.Translator(str(TRIAL), intra_threads=1)

    class Trial:
        def translate(self, texts: Sequence[str]) -> list[str]:
            out = engine.translate_batch([self._source(text) for text in texts], beam_size=2)
            return [pieces.decode(result.hypotheses[0]) for result in out]

        def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[list[float]]:
            left = [self._source(text) for text in sources]
            right = [pieces.encode(text, out_type=str) for text in targets]
            return [row.log_probs for row in engine.score_batch(left, right)]

        def _source(self, text: str) -> list[str]:
            return [">>de<<", *pieces.encode(text, out_type=str), "</s>"]

    texts = ["The cat is sleeping.", "I have a new car.", "We live in a small house."]
    other = ["The cat sleeps.", "I've got a new car.", "We are living in a small house."]
    same = _found(Trial(), list(zip(texts, texts, strict=True)))
    near = _found(Trial(), list(zip(texts, other, strict=True)))
    far = _found(Trial(), list(zip(texts, other[1:] + other[:1], strict=True)))
    assert same == pytest.approx(np.ones(3))
    assert (near > far).all()
    back = _found(Trial(), list(zip(other, texts, strict=True)))
    assert back == pytest.approx(near, rel=1e-5)
