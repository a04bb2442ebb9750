"""P(a, b) = P(b, a), to the last bit, for every detector that calls itself commutative."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logit

from hyperbaton.detectors import DETECTORS, Detector
from tests.metrics.neural_models import Kind

WORDS = (
    "the cat sat on Mat dog ran 7 not nicht kein Der Hund lief Regen in 猫 雨 座って . , Paul Rom"
)
TEXT = st.one_of(
    st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join),
    st.text(max_size=24),
)
PAIRS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5)


def _same(detector: Detector, pairs: list[tuple[str, str]], language: str) -> None:
    assert detector.commutative
    one, two = [a for a, _ in pairs], [b for _, b in pairs]
    forth = detector.probabilities(one, two, language)
    back = detector.probabilities(two, one, language)
    assert forth.tobytes() == back.tobytes()
    mixed = detector.probabilities([*one, *two], [*two, *one], language)
    assert mixed[: len(pairs)].tobytes() == mixed[len(pairs) :].tobytes()


@pytest.mark.parametrize("kind", ["bert", "xlm-roberta", "distilbert"])
@given(pairs=PAIRS)
@settings(deadline=None, max_examples=15)
def test_classifiers_of_both_orders(kind: Kind, pairs: list[tuple[str, str]]) -> None:
    from .pair_models import classifier

    folder = classifier(kind)
    _same(DETECTORS.parse(f"hf-pair:{folder}(commutative=true, device=cpu)"), pairs, "de")


@given(PAIRS)
@settings(deadline=None, max_examples=15)
def test_cosine(pairs: list[tuple[str, str]]) -> None:
    from .pair_models import encoder

    _same(DETECTORS.parse(f"cosine:{encoder('bert')}(threshold=0.9, device=cpu)"), pairs, "de")


@given(st.lists(st.tuples(*[st.sampled_from(["A cat.", "The dog runs.", "We read."])] * 2)))
@settings(deadline=None, max_examples=10)
def test_likelihood(pairs: list[tuple[str, str]]) -> None:
    pytest.importorskip("torch")
    from tests.systems.models import converted

    system = f"ct2:{converted('multilingual')}(beam=1)"
    _same(DETECTORS.parse(f"likelihood:{system}(into=de, threshold=0.5)"), pairs, "en")


def test_recorded(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"first": "b", "second": "a", "probability": 0.3}\n')
    _same(DETECTORS.parse(f"recorded:{path}(commutative=true)"), [("a", "b")], "de")


def test_a_classifier_of_one_order_is_not() -> None:
    from .pair_models import classifier

    detector = DETECTORS.parse(f"hf-pair:{classifier('bert')}(device=cpu)")
    assert not detector.commutative
    one, two = ["The cat sat on the mat."], ["A dog ran off."]
    forth, back = (detector.probabilities(a, b, "en") for a, b in ((one, two), (two, one)))
    assert abs(logit(forth) - logit(back)) > 1e-4
    both = DETECTORS.parse(f"hf-pair:{classifier('bert')}(commutative=true, device=cpu)")
    mean = (forth + back) / 2
    np.testing.assert_allclose(both.probabilities(one, two, "en"), mean, atol=1e-6)
