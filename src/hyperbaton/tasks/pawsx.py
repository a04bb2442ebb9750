"""PAWS-X: are two sentences of the same words paraphrases? (Yang et al. 2019)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.tasks.pairs import Pairs

__all__ = ["PawsX"]


@dataclass(frozen=True)
class PawsX(Pairs):
    """Pairs with much the same words, half of them paraphrases; 7 languages."""

    name: ClassVar[str] = "pawsx"
    labels: ClassVar[tuple[str, ...]] = ("0", "1")
