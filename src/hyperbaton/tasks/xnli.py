"""XNLI: does a premise entail a hypothesis, contradict it, or neither? (Conneau et al. 2018)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.tasks.pairs import Pairs

__all__ = ["Xnli"]


@dataclass(frozen=True)
class Xnli(Pairs):
    """Premise, hypothesis and one of three labels; 15 languages."""

    name: ClassVar[str] = "xnli"
    labels: ClassVar[tuple[str, ...]] = ("entailment", "neutral", "contradiction")
