"""Where the damage of a single error lies in the translation, counted from the error itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

__all__ = ["Convention", "divergence", "pivot"]

Convention = Literal["figure", "formula"]
"""The paper's figure marks the words of the clean translation that the noisy one lacks; its
formula takes the words of the noisy one that the clean one lacks."""


def pivot(correction: int, links: Iterable[tuple[int, int]]) -> int | None:
    """The place in the clean translation that the corrected word is aligned to.

    The first of several; None where the word is aligned to nothing.

    >>> pivot(2, [(0, 0), (2, 5), (2, 4)])
    4
    """
    return min((target for source, target in links if source == correction), default=None)


def divergence(
    clean: Sequence[str], noisy: Sequence[str], at: int, convention: Convention = "figure"
) -> list[int]:
    """The places of the words that differ, relative to place `at` of the clean translation.

    The example of the paper:

    >>> clean = "Ich möchte mit Kindern spielen und ihr Lächeln den ganzen Tag sehen".split()
    >>> noisy = "Ich will mit den Kindern spielen und sie den ganzen Tag sehen".split()
    >>> divergence(clean, noisy, 7), divergence(clean, noisy, 7, "formula")
    ([-6, -1, 0], [-6, 0])
    """
    words, others = (clean, noisy) if convention == "figure" else (noisy, clean)
    there = set(others)
    return [place - at for place, word in enumerate(words) if word not in there]
