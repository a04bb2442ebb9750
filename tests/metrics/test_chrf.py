"""chrF, chrF++ and bigram-F against sacreBLEU and plain counting."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
import sacrebleu.metrics.chrf as oracle
from hypothesis import given, settings

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.metrics.chrf import chrF, chrFpp
from hyperbaton.metrics.structure import bigramF

from .texts import LANGUAGES, ODD_PAIRS, PAIRS, long_pair, real_pairs

Pair = tuple[str, str]


# hypothesis, reference, chrF2, chrF2++; from sacreBLEU 2.6.0
TABLE = [
    ("the cat sat on a mat", "the cat sat on the mat", 65.97965990995549, 67.4443505016402),
    ("The cat sat on the mat.", "The cat sat on the mat.", 100.0, 100.0),
    ("mat the on sat cat the .", "the cat sat on the mat .", 32.65931372549019, 36.994485294117645),
    (
        "Der Hund läuft schnell nach Hause, oder?",
        "Der Hund rennt schnell nach Hause.",
        69.69501975985477,
        66.59520553463601,
    ),
    (
        "Il coûte 3,50 € (environ).",
        "Il coûte environ 3,50 €.",
        62.88318300777671,
        62.60062708466497,
    ),
    (
        "Он идёт домой очень быстро.",
        "Он очень быстро идёт домой.",
        75.21126047441837,
        73.90844535581378,
    ),
    ("the the the the the the the", "the cat is on the mat", 14.232426848159646, 14.71532900200283),
    ("so it is", "so it is", 100.0, 100.0),
    ("", "the cat", 0.0, 0.0),
    ("😀 so good 😀", "so good 😀 😀", 81.78571428571429, 82.17261904761905),
]


@pytest.mark.parametrize(("hypothesis", "reference", "characters", "words"), TABLE)
def test_table(hypothesis: str, reference: str, characters: float, words: float) -> None:
    assert chrF().sentence_scores([hypothesis], [reference])[0] * 100 == pytest.approx(characters)
    assert chrFpp().sentence_scores([hypothesis], [reference])[0] * 100 == pytest.approx(words)


def _agree(pairs: Sequence[Pair], metric: chrF) -> None:
    other = oracle.CHRF(
        metric.order,
        metric.words,
        metric.beta,  # type: ignore[arg-type]
        metric.lowercase,
        metric.whitespace,
        metric.epsilon,
    )
    hypotheses, references = map(list, zip(*pairs, strict=True))
    expected = [other.sentence_score(h, [r]).score / 100 for h, r in pairs]
    np.testing.assert_allclose(
        metric.sentence_scores(hypotheses, references), expected, rtol=0, atol=1e-9
    )
    corpus = other.corpus_score(hypotheses, [references]).score / 100
    assert metric.corpus_score(hypotheses, references) == pytest.approx(corpus, abs=1e-9)


def test_odd_texts() -> None:
    flags = list(itertools.product((False, True), repeat=3))
    for order, words, beta in itertools.product((1, 6), (0, 2), (1, 2)):
        for whitespace, lowercase, epsilon in flags:
            _agree(ODD_PAIRS, chrF(order, beta, words, whitespace, lowercase, epsilon))
    _agree(ODD_PAIRS, chrF(beta=0.5))


@settings(max_examples=150, deadline=None)
@given(PAIRS)
def test_random_texts(pairs: list[Pair]) -> None:
    _agree(pairs, chrF())
    _agree(pairs, chrFpp())
    _agree(pairs, chrF(whitespace=True, epsilon=True, lowercase=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_real_texts(language: str) -> None:
    pairs = real_pairs(language)
    if not pairs:
        pytest.skip("needs ../shared")
    _agree(pairs, chrF())
    _agree(pairs, chrFpp())


def test_a_line_of_five_thousand_tokens() -> None:
    _agree([long_pair()], chrFpp())


def test_more_distinct_characters_than_any_table_of_bytes() -> None:
    every = "".join(map(chr, range(0x4E00, 0x9FA5)))
    _agree([(every[::-1], every), (every[100:], every)], chrF())


def test_symmetric_is_the_mean_of_both_directions() -> None:
    hypotheses, references = map(list, zip(*ODD_PAIRS, strict=True))
    for metric, both in ((chrF(), chrF(symmetric=True)), (chrFpp(), chrFpp(symmetric=True))):
        there = metric.sentence_scores(hypotheses, references)
        back = metric.sentence_scores(references, hypotheses)
        np.testing.assert_allclose(both.sentence_scores(hypotheses, references), (there + back) / 2)
        assert both.corpus_score(hypotheses, references) == pytest.approx(
            (
                metric.corpus_score(hypotheses, references)
                + metric.corpus_score(references, hypotheses)
            )
            / 2
        )


def test_signature_holds_sacrebleus_own() -> None:
    for metric, other in (
        (chrF(), oracle.CHRF()),
        (chrFpp(), oracle.CHRF(word_order=2)),
        (chrF(whitespace=True, lowercase=True), oracle.CHRF(whitespace=True, lowercase=True)),
    ):
        other.corpus_score(["a"], [["a"]])
        assert f"level:corpus|{other.get_signature()}|" in metric.signature("corpus")


@pytest.mark.parametrize(
    "spec", ["chrF", "chrF++", "chrF(order=3, beta=1)", "chrF(symmetric=true)"]
)
def test_specs_print_and_parse(spec: str) -> None:
    assert str(METRICS.parse(spec)) == spec


def test_an_order_of_nothing_is_refused() -> None:
    with pytest.raises(HyperbatonError, match="order must be 1 or more"):
        METRICS.parse("chrF(order=0)")


def _plain_bigram_f(hypothesis: str, reference: str) -> float:
    left, right = (Counter(itertools.pairwise(text)) for text in (hypothesis, reference))
    size = left.total() + right.total()
    return 2 * (left & right).total() / size if size else float(hypothesis == reference)


@settings(max_examples=150, deadline=None)
@given(PAIRS)
def test_bigram_f_counts_bigrams(pairs: list[Pair]) -> None:
    hypotheses, references = map(list, zip(*pairs, strict=True))
    expected = [_plain_bigram_f(*pair) for pair in pairs]
    np.testing.assert_allclose(
        bigramF().sentence_scores(hypotheses, references), expected, rtol=0, atol=1e-12
    )


def test_bigram_f_of_texts_without_bigrams() -> None:
    assert bigramF().sentence_scores(
        ["", "a", "a", "", "ab"], ["", "a", "b", "a", "a"]
    ).tolist() == [
        1,
        1,
        0,
        0,
        0,
    ]
