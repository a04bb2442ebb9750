"""What a detector is: a value that says how likely two sentences of a language mean the same."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hyperbaton import __version__
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Spec
from hyperbaton.base.wording import counted

Pair = tuple[str, str]
Probabilities = NDArray[np.float64]
"""P(paraphrase), one for each pair."""


class Detector(Spec, ABC):
    """P(paraphrase | a, b, language); subclasses are frozen dataclasses."""

    @property
    def commutative(self) -> bool:
        """Whether P(a, b) = P(b, a), to the last bit."""
        return False

    @property
    def partial(self) -> bool:
        """Whether it may give NaN for pairs that it has no answer for."""
        return False

    def probabilities(
        self, first: Sequence[str], second: Sequence[str], language: str
    ) -> Probabilities:
        """P of each pair; equal pairs are judged once.

        A commutative detector is given every pair in one order, so that not even the rounding of
        a sum can tell which sentence came first. What is judged is sorted: neither the order of
        the pairs nor their repetition changes a batch.
        """
        if len(first) != len(second):
            raise HyperbatonError(
                f"{counted(len(first), 'sentence')} but {len(second)} to compare them with: "
                "give pairs"
            )
        pairs = list(zip(first, second, strict=True))
        if self.commutative:
            pairs = [(min(pair), max(pair)) for pair in pairs]
        unique = sorted(set(pairs))
        if not unique:
            return np.empty(0)
        found = np.asarray(self.judge(unique, language), dtype=np.float64)
        right = (found >= 0) & (found <= 1) | (np.isnan(found) & self.partial)
        if found.shape != (len(unique),) or not right.all():
            raise HyperbatonError(f"'{self}' did not return one probability for each pair")
        place = {pair: i for i, pair in enumerate(unique)}
        return found[[place[pair] for pair in pairs]]

    @abstractmethod
    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """P of distinct pairs: what a detector has to define; callers use `probabilities`."""

    @abstractmethod
    def fields(self, language: str) -> dict[str, str]:
        """What changes its numbers: weights, calibration, versions."""

    def signature(self, language: str) -> str:
        """The detector, the language and the fields in one line."""
        fields = {
            "language": language,
            "commutative": "yes" if self.commutative else "no",
            **self.fields(language),
            "hyperbaton": __version__,
        }
        return "|".join([str(self), *(f"{name}:{value}" for name, value in fields.items())])
