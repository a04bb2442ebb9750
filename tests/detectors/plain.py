"""Detectors that need no model, for tests of what is made of detectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from hyperbaton.detectors import DETECTORS, Detector, Probabilities
from hyperbaton.detectors.detector import Pair

__all__ = ["Letters", "Words", "judge", "plain_detectors"]


def _shared(one: set[str], two: set[str]) -> float:
    return len(one & two) / max(1, len(one | two))


@dataclass(frozen=True)
class Words(Detector):
    """The share of the words of both sentences that both have."""

    name: ClassVar[str] = "words"
    power: float = 1.0
    commutative = True

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        shares = [_shared(set(a.lower().split()), set(b.lower().split())) for a, b in pairs]
        return np.array(shares) ** self.power

    def fields(self, language: str) -> dict[str, str]:
        return {}


@dataclass(frozen=True)
class Letters(Detector):
    """The share of the pairs of letters of both sentences that both have."""

    name: ClassVar[str] = "letters"
    commutative = True

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        def grams(text: str) -> set[str]:
            return {text[at : at + 2] for at in range(len(text) - 1)}

        return np.array([_shared(grams(a), grams(b)) for a, b in pairs])

    def fields(self, language: str) -> dict[str, str]:
        return {}


def judge(study: str) -> tuple[str, ...]:
    """The option that makes `words` the judge, where a study has one: the best needs weights."""
    return ("--detector", "words") if study == "isometry" else ()


@pytest.fixture(scope="module")
def plain_detectors() -> Iterator[None]:
    """`words` and `letters` among the detectors."""
    with pytest.MonkeyPatch.context() as patch:
        for name, kind in (("words", "Words"), ("letters", "Letters")):
            patch.setitem(DETECTORS._builtin, name, f"tests.detectors.plain:{kind}")
        yield
