"""What a word aligner is: pairs of word lists in, links between their words out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from hyperbaton.base.spec import Registry, Spec

__all__ = ["ALIGNERS", "Aligner", "Link", "Links", "Pair", "Words"]

Words = Sequence[str]
Pair = tuple[Words, Words]
"""The words of a source text and of its translation."""
Link = tuple[int, int]
"""The number of a source word and of a target word, counted from 0."""
Links = tuple[Link, ...]
"""The links of one pair, in order."""


class Aligner(Spec, ABC):
    """Links the words of translations; subclasses are frozen dataclasses of its parameters."""

    alone: ClassVar[bool] = False
    """Whether the links of a pair are the same whatever other pairs there are."""

    @abstractmethod
    def align(self, pairs: Sequence[Pair], source: str = "", target: str = "") -> list[Links]:
        """The links of each pair; `source` and `target` are language codes, where known.

        All pairs of a run belong in one call: an aligner may learn from them.
        """

    def signature(self, source: str = "", target: str = "") -> str:
        """Its name and everything else that changes its links, apart from the pairs."""
        return str(self)


ALIGNERS: Registry[Aligner] = Registry(
    "aligner",
    {
        "attention": "hyperbaton.alignment.attention:Attention",
        "fast_align": "hyperbaton.alignment.fast_align:FastAlign",
        "gloss": "hyperbaton.alignment.gloss:Gloss",
        "pharaoh": "hyperbaton.alignment.pharaoh:Pharaoh",
    },
)
"""Every aligner by name."""
