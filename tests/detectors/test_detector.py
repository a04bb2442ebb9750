"""What every detector has in common, and how detectors are measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.detectors import DETECTORS, Detector, Probabilities
from hyperbaton.detectors.detector import Pair
from hyperbaton.detectors.scoring import quality

SEEN: list[list[Pair]] = []


@dataclass(frozen=True)
class Lengths(Detector):
    """Says how much longer the first sentence is; not commutative unless told."""

    name: ClassVar[str] = "lengths"
    commutative: bool = False
    value: float | None = None

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        SEEN.append(list(pairs))
        if self.value is not None:
            return np.full(len(pairs), self.value)
        return np.array([len(a) / (len(a) + len(b)) for a, b in pairs])

    def fields(self, language: str) -> dict[str, str]:
        return {}


def test_equal_pairs_are_judged_once_and_come_back_in_order() -> None:
    SEEN.clear()
    found = Lengths().probabilities(["aa", "b", "aa", "c"], ["b", "aa", "b", "ccc"], "de")
    assert found.tolist() == [2 / 3, 1 / 3, 2 / 3, 1 / 4]
    assert SEEN == [[("aa", "b"), ("b", "aa"), ("c", "ccc")]]
    SEEN.clear()
    found = Lengths(commutative=True).probabilities(["aa", "b"], ["b", "aa"], "de")
    assert found.tolist() == [2 / 3, 2 / 3]
    assert SEEN == [[("aa", "b")]]


def test_what_is_no_probability_is_refused() -> None:
    for value in (1.5, -0.1, float("nan")):
        with pytest.raises(HyperbatonError, match="did not return one probability"):
            Lengths(value=value).probabilities(["a"], ["b"], "de")
    with pytest.raises(HyperbatonError, match="2 sentences but 1"):
        Lengths().probabilities(["a", "b"], ["c"], "de")
    assert Lengths().probabilities([], [], "de").shape == (0,)


@pytest.mark.parametrize(
    "spec",
    [
        "hf-pair:models/xlm-r(commutative=true)",
        "hf-pair:xlm-roberta-base(label=entailment, max_tokens=64)",
        "cosine:models/labse(threshold=0.8)",
        "likelihood:ct2:models/small(beam=1)(into=fr)",
        "likelihood:ct2:models/small(beam=1)()",
        "recorded:p.jsonl(commutative=true)",
        "recorded:e5-pair(commutative=true, partial=true)",
        "e5-pair(trained=edits)",
    ],
)
def test_specs_parse_back(spec: str) -> None:
    assert str(DETECTORS.parse(spec)) == spec
    assert DETECTORS.parse(str(DETECTORS.parse(spec))) == DETECTORS.parse(spec)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=40))
@settings(deadline=None)
def test_quality_is_scikit_learns(rows: list[tuple[float, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    said, true = [p for p, _ in rows], [label for _, label in rows]
    found = quality(said, true)
    guesses = [int(p >= 0.5) for p in said]
    assert found.accuracy == pytest.approx(metrics.accuracy_score(true, guesses))
    macro = metrics.f1_score(true, guesses, average="macro", labels=[0, 1], zero_division=0)
    assert found.macro_f1 == pytest.approx(macro)
