"""Levenshtein, TER, ROUGE-L and exact match against rapidfuzz, sacreBLEU and rouge-score."""

from __future__ import annotations

import random

import numpy as np
import pytest
import sacrebleu.metrics.ter as oracle
from hypothesis import given, settings
from rapidfuzz.distance import Levenshtein as Rapid

from hyperbaton.metrics import METRICS
from hyperbaton.metrics.edits import ExactMatch, Levenshtein, LevenshteinDistance
from hyperbaton.metrics.rouge import ROUGEL
from hyperbaton.metrics.ter import TER

from .texts import ODD_PAIRS, PAIRS, long_pair

Pair = tuple[str, str]

# hypothesis, reference, similarity and distance of words, of characters; from rapidfuzz 3.14.6
EDITS = [
    (
        "the cat sat on a mat",
        "the cat sat on the mat",
        0.8333333333333334,
        1,
        0.8636363636363636,
        3,
    ),
    ("The cat sat on the mat.", "The cat sat on the mat.", 1.0, 0, 1.0, 0),
    (
        "mat the on sat cat the .",
        "the cat sat on the mat .",
        0.4285714285714286,
        4,
        0.41666666666666663,
        14,
    ),
    (
        "Der Hund läuft schnell nach Hause, oder?",
        "Der Hund rennt schnell nach Hause.",
        0.5714285714285714,
        3,
        0.725,
        11,
    ),
    ("Il coûte 3,50 € (environ).", "Il coûte environ 3,50 €.", 0.4, 3, 0.42307692307692313, 15),
    (
        "Он идёт домой очень быстро.",
        "Он очень быстро идёт домой.",
        0.19999999999999996,
        4,
        0.18518518518518523,
        22,
    ),
    (
        "the the the the the the the",
        "the cat is on the mat",
        0.2857142857142857,
        5,
        0.4444444444444444,
        15,
    ),
    ("so it is", "so it is", 1.0, 0, 1.0, 0),
    ("", "the cat", 0.0, 2, 0.0, 7),
    ("😀 so good 😀", "so good 😀 😀", 0.5, 2, 0.6363636363636364, 4),
]
# hypothesis, reference, TER; from sacreBLEU 2.6.0
RATES = [
    ("the cat sat on a mat", "the cat sat on the mat", 16.666666666666664),
    ("The cat sat on the mat.", "The cat sat on the mat.", 0.0),
    ("mat the on sat cat the .", "the cat sat on the mat .", 42.857142857142854),
    ("Der Hund läuft schnell nach Hause, oder?", "Der Hund rennt schnell nach Hause.", 50.0),
    ("Il coûte 3,50 € (environ).", "Il coûte environ 3,50 €.", 60.0),
    ("Он идёт домой очень быстро.", "Он очень быстро идёт домой.", 80.0),
    ("the the the the the the the", "the cat is on the mat", 83.33333333333334),
    ("so it is", "so it is", 0.0),
    ("", "the cat", 100.0),
    ("😀 so good 😀", "so good 😀 😀", 25.0),
]


@pytest.mark.parametrize(("hypothesis", "reference", "word", "words", "char", "chars"), EDITS)
def test_levenshtein_table(
    hypothesis: str, reference: str, word: float, words: int, char: float, chars: int
) -> None:
    pair = [hypothesis], [reference]
    assert Levenshtein(tokens="parsed").sentence_scores(*pair)[0] == pytest.approx(word)
    assert LevenshteinDistance(tokens="parsed").sentence_scores(*pair)[0] == words
    assert Levenshtein(unit="char").sentence_scores(*pair)[0] == pytest.approx(char)
    assert LevenshteinDistance(unit="char").sentence_scores(*pair)[0] == chars


@settings(max_examples=150, deadline=None)
@given(PAIRS)
def test_levenshtein_of_random_words(pairs: list[Pair]) -> None:
    hypotheses, references = map(list, zip(*pairs, strict=True))
    words = [(h.split(), r.split()) for h, r in zip(hypotheses, references, strict=True)]
    np.testing.assert_allclose(
        Levenshtein(tokens="parsed").sentence_scores(hypotheses, references),
        [Rapid.normalized_similarity(*pair) for pair in words],
        atol=1e-12,
    )
    np.testing.assert_allclose(
        LevenshteinDistance(tokens="parsed").sentence_scores(hypotheses, references),
        [Rapid.distance(*pair) for pair in words],
    )


def test_levenshtein_of_five_thousand_words() -> None:
    hypothesis, reference = long_pair()
    distance = LevenshteinDistance(tokens="parsed").sentence_scores([hypothesis], [reference])
    assert distance[0] == Rapid.distance(hypothesis.split(), reference.split()) > 100


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), RATES)
def test_ter_table(hypothesis: str, reference: str, expected: float) -> None:
    assert TER().sentence_scores([hypothesis], [reference])[0] * 100 == pytest.approx(expected)


@pytest.mark.parametrize("switches", [(False,) * 4, (True, False, True, True)])
def test_ter_of_a_corpus(switches: tuple[bool, bool, bool, bool]) -> None:
    normalized, no_punct, asian, case = switches
    metric = TER(normalized, not no_punct, asian, lowercase=not case)
    other = oracle.TER(normalized, no_punct, asian, case)
    hypotheses, references = map(list, zip(*ODD_PAIRS, strict=True))
    expected = [other.sentence_score(h, [r]).score / 100 for h, r in ODD_PAIRS]
    np.testing.assert_allclose(metric.sentence_scores(hypotheses, references), expected)
    corpus = other.corpus_score(hypotheses, [references]).score / 100
    assert metric.corpus_score(hypotheses, references) == pytest.approx(corpus)
    assert f"level:corpus|{other.get_signature()}|" in metric.signature("corpus")


def shuffled_pairs(count: int) -> list[Pair]:
    """Words of few kinds, moved, replaced and put out of order: what makes Tercom's rules count."""
    draw = random.Random(7)
    pairs = []
    for number in range(count):
        kinds, size = draw.choice([2, 3, 5, 20, 200]), draw.choice([0, 1, 2, 5, 12, 30])
        reference = [str(draw.randrange(kinds)) for _ in range(size)]
        hypothesis = reference.copy()
        if number % 3 == 0:
            draw.shuffle(hypothesis)
        for _ in range(draw.randrange(6)):
            start = draw.randrange(len(hypothesis) + 1)
            end = start + draw.randrange(6)
            phrase = hypothesis[start:end]
            hypothesis[start:end] = [str(draw.randrange(kinds))] if number % 5 == 0 else []
            there = draw.randrange(len(hypothesis) + 1)
            hypothesis[there:there] = phrase
        pairs.append((" ".join(hypothesis), " ".join(reference)))
    return pairs


def test_ter_of_shuffled_words_is_sacrebleus() -> None:
    extremes = [("0", "1 " * 300), ("0 " * 300, "1"), ("0 1 " * 60, "1 0 " * 60), ("", "")]
    pairs = [*shuffled_pairs(400), *extremes]
    hypotheses, references = map(list, zip(*pairs, strict=True))
    other = oracle.TER()
    found = [other.sentence_score(h, [r]) for h, r in pairs]
    expected = [[score.num_edits, score.ref_length] for score in found]
    np.testing.assert_array_equal(TER().statistics(hypotheses, references), expected)


@settings(max_examples=100, deadline=None)
@given(PAIRS)
def test_rouge_l_is_rouge_score(pairs: list[Pair]) -> None:
    scorer_module = pytest.importorskip("rouge_score.rouge_scorer")

    class Spaces:
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    scorer = scorer_module.RougeScorer(["rougeL"], tokenizer=Spaces())
    hypotheses, references = map(list, zip(*pairs, strict=True))
    expected = [scorer.score(r, h)["rougeL"].fmeasure for h, r in pairs]
    np.testing.assert_allclose(
        ROUGEL(tokens="parsed").sentence_scores(hypotheses, references), expected, atol=1e-12
    )


def test_exact_match_is_a_share() -> None:
    assert ExactMatch().corpus_score(["a", "b", "", "c "], ["a", "B", "", "c"]) == 0.5


@pytest.mark.parametrize(
    "spec",
    [
        "Levenshtein",
        "Levenshtein(unit=char)",
        "LevenshteinDistance(tokens=parsed)",
        "TER(normalized=true)",
        "ROUGE-L(beta=2, lowercase=true)",
        "ExactMatch",
        "METEOR(language=de)",
        "METEOR-1.5",
        "bigramF",
    ],
)
def test_specs_print_and_parse(spec: str) -> None:
    metric = METRICS.parse(spec)
    assert str(metric) == spec
    assert METRICS.parse(str(metric)) == metric
