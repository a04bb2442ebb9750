"""BLEU against sacreBLEU and nltk."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest
import sacrebleu.metrics.bleu as oracle
from hypothesis import given, settings

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.metrics.bleu import BLEU
from hyperbaton.metrics.tokens import Tokens

from .texts import LANGUAGES, ODD_PAIRS, PAIRS, long_pair, real_pairs

Pair = tuple[str, str]
SMOOTHINGS: list[tuple[Literal["none", "floor", "add-k", "exp"], float | None]] = [
    ("none", None),
    ("exp", None),
    ("floor", None),
    ("floor", 0.02),
    ("add-k", None),
    ("add-k", 2.5),
]
TOKENS: list[Tokens] = ["13a", "intl", "zh", "char", "none"]


def _agree(pairs: Sequence[Pair], metric: BLEU, other: oracle.BLEU) -> None:
    hypotheses, references = map(list, zip(*pairs, strict=True))
    expected = [other.sentence_score(h, [r]).score / 100 for h, r in pairs]
    np.testing.assert_allclose(
        metric.sentence_scores(hypotheses, references), expected, rtol=0, atol=1e-9
    )
    corpus = other.corpus_score(hypotheses, [references]).score / 100
    settled = BLEU(**{**vars(metric), "effective": "yes" if other.effective_order else "no"})
    assert settled.corpus_score(hypotheses, references) == pytest.approx(corpus, abs=1e-9)


# hypothesis, reference, sentence score (effective order), corpus score; from sacreBLEU 2.6.0
TABLE = [
    ("the cat sat on a mat", "the cat sat on the mat", 53.7284965911771, 53.7284965911771),
    ("The cat sat on the mat.", "The cat sat on the mat.", 100.00000000000004, 100.00000000000004),
    (
        "mat the on sat cat the .",
        "the cat sat on the mat .",
        10.682175159905853,
        10.682175159905853,
    ),
    (
        "Der Hund läuft schnell nach Hause, oder?",
        "Der Hund rennt schnell nach Hause.",
        22.31618068926665,
        22.31618068926665,
    ),
    (
        "Il coûte 3,50 € (environ).",
        "Il coûte environ 3,50 €.",
        17.286039232097043,
        17.286039232097043,
    ),
    (
        "Он идёт домой очень быстро.",
        "Он очень быстро идёт домой.",
        25.40663740773074,
        25.40663740773074,
    ),
    ("the the the the the the the", "the cat is on the mat", 7.809849842300637, 7.809849842300637),
    ("so it is", "so it is", 100.00000000000004, 0.0),
    ("", "the cat", 0.0, 0.0),
    ("😀 so good 😀", "so good 😀 😀", 63.894310424627285, 63.894310424627285),
]


@pytest.mark.parametrize(("hypothesis", "reference", "sentence", "corpus"), TABLE)
def test_table(hypothesis: str, reference: str, sentence: float, corpus: float) -> None:
    assert BLEU().sentence_scores([hypothesis], [reference])[0] * 100 == pytest.approx(sentence)
    assert BLEU().corpus_score([hypothesis], [reference]) * 100 == pytest.approx(corpus)


@pytest.mark.parametrize(("smooth", "value"), SMOOTHINGS)
@pytest.mark.parametrize("effective", ["yes", "no"])
def test_odd_texts(
    smooth: Literal["none", "floor", "add-k", "exp"],
    value: float | None,
    effective: Literal["yes", "no"],
) -> None:
    for tokens, order, lowercase in itertools.product(TOKENS, (1, 4, 5), (False, True)):
        metric = BLEU(order, smooth, value, tokens, effective, lowercase)
        other = oracle.BLEU(
            lowercase=lowercase,
            tokenize=tokens,
            smooth_method=smooth,
            smooth_value=value,
            max_ngram_order=order,
            effective_order=effective == "yes",
        )
        _agree(ODD_PAIRS, metric, other)


@settings(max_examples=150, deadline=None)
@given(PAIRS)
def test_random_texts(pairs: list[Pair]) -> None:
    for tokens in TOKENS:
        _agree(pairs, BLEU(tokens=tokens), oracle.BLEU(tokenize=tokens, effective_order=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_real_texts(language: str) -> None:
    pairs = real_pairs(language)
    if not pairs:
        pytest.skip("needs ../shared")
    tokens: Tokens
    for tokens in ("13a", "zh" if language == "zh" else "intl", "char"):
        _agree(pairs, BLEU(tokens=tokens), oracle.BLEU(tokenize=tokens, effective_order=True))


def test_a_line_of_five_thousand_tokens() -> None:
    _agree([long_pair()], BLEU(), oracle.BLEU(effective_order=True))


def _nltk(gold: str, translation: str) -> float:
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(nltk.sentence_bleu([translation.split()], gold.split()))


@settings(max_examples=150, deadline=None)
@given(PAIRS)
def test_the_paper_convention_is_nltk_with_roles_exchanged(pairs: list[Pair]) -> None:
    metric = BLEU(convention="paper", tokens="parsed")
    scores = metric.sentence_scores(*map(list, zip(*pairs, strict=True)))
    expected = [_nltk(gold, translation) for translation, gold in pairs]
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_paper_convention_on_real_texts(language: str) -> None:
    pairs = real_pairs(language)
    if not pairs:
        pytest.skip("needs ../shared")
    test_the_paper_convention_is_nltk_with_roles_exchanged.hypothesis.inner_test(pairs)  # type: ignore[attr-defined]


# translation, gold, nltk.translate.bleu_score.sentence_bleu([translation], gold) of nltk 3.10
PAPER_TABLE = [
    ("the cat sat on a mat", "the cat sat on the mat", 0.537284965911771),
    ("The cat sat on the mat.", "The cat sat on the mat.", 1.0),
    ("mat the on sat cat the .", "the cat sat on the mat .", 0.0),
    ("Der Hund läuft schnell nach Hause, oder?", "Der Hund rennt schnell nach Hause.", 0.0),
    ("the cat sat on the mat today", "the cat sat on the mat", 0.846481724890614),
    ("the cat sat on the mat", "the cat sat on the mat today", 0.8091067115702212),
    ("a b c d e b c d e f", "b c d e f a b c d e", 0.785629301801026),
]


@pytest.mark.parametrize(("translation", "gold", "expected"), PAPER_TABLE)
def test_the_paper_convention_table(translation: str, gold: str, expected: float) -> None:
    metric = BLEU(convention="paper", tokens="parsed")
    assert metric.sentence_scores([translation], [gold])[0] == pytest.approx(expected, abs=1e-12)


def test_the_paper_convention_scores_short_texts_zero() -> None:
    metric = BLEU(convention="paper", tokens="parsed")
    assert metric.sentence_scores(["a b c", "a b c d"], ["a b c", "a b c d"]).tolist() == [0, 1]


def test_symmetric_is_the_mean_of_both_directions() -> None:
    hypotheses, references = map(list, zip(*ODD_PAIRS, strict=True))
    there = BLEU().sentence_scores(hypotheses, references)
    back = BLEU().sentence_scores(references, hypotheses)
    both = BLEU(symmetric=True)
    np.testing.assert_allclose(both.sentence_scores(hypotheses, references), (there + back) / 2)
    np.testing.assert_allclose(
        both.sentence_scores(hypotheses, references), both.sentence_scores(references, hypotheses)
    )
    assert both.corpus_score(hypotheses, references) == pytest.approx(
        (BLEU().corpus_score(hypotheses, references) + BLEU().corpus_score(references, hypotheses))
        / 2
    )


def test_scores_come_from_summed_statistics_alone() -> None:
    hypotheses, references = map(list, zip(*ODD_PAIRS, strict=True))
    rows = BLEU().statistics(hypotheses, references)
    resamples = np.array([[0, 1, 2], [8, 8, 10], [4, 3, 12]])
    expected = [
        oracle.BLEU()
        .corpus_score([hypotheses[i] for i in sample], [[references[i] for i in sample]])
        .score
        / 100
        for sample in resamples
    ]
    sums = rows[resamples].sum(axis=1)
    np.testing.assert_allclose(BLEU().from_statistics(sums, "corpus"), expected, atol=1e-9)


def test_signature_holds_sacrebleus_own() -> None:
    for metric, other in (
        (BLEU(), oracle.BLEU()),
        (BLEU(tokens="zh", lowercase=True), oracle.BLEU(tokenize="zh", lowercase=True)),
        (BLEU(smooth="floor", value=0.25), oracle.BLEU(smooth_method="floor", smooth_value=0.25)),
    ):
        other.corpus_score(["a"], [["a"]])
        assert f"level:corpus|{other.get_signature()}|" in metric.signature("corpus")
    assert "eff:yes" in BLEU().signature("sentence")


@pytest.mark.parametrize(
    "spec",
    ["BLEU", "BLEU(order=2, smooth=none, tokens=parsed)", "BLEU(convention=paper)"],
)
def test_specs_print_and_parse(spec: str) -> None:
    assert str(METRICS.parse(spec)) == spec


def test_languages_choose_the_tokenizer() -> None:
    assert str(BLEU().for_language("de")) == "BLEU(tokens=13a)"
    assert str(BLEU().for_language("zh")) == "BLEU(tokens=zh)"
    assert str(BLEU(tokens="none").for_language("zh")) == "BLEU(tokens=none)"


def test_the_paper_convention_refuses_smoothing() -> None:
    with pytest.raises(HyperbatonError, match="unsmoothed"):
        METRICS.parse("BLEU(convention=paper, smooth=floor)")
