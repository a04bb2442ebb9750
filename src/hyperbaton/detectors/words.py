"""Two sentences word by word: what each word meets on the other side, and where that stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperbaton.detectors.features import is_negation, tokens

__all__ = ["WORD_FEATURES", "word_features"]

WORD_FEATURES = (
    "similarity",
    "mutual",
    "moved",
    "moved_far",
    "follows",
    "turned_back",
    "gap",
    "number",
    "capital",
    "negation",
    "short",
    "log_length",
    "place",
    "first",
)
"""The columns of a word; no word is known by itself, so that they mean the same in any language."""
FloatArray = NDArray[np.float32]
NEAR = 0.1
"""How much less alike words are from one end of the sentence to the other: of two equal words the
nearer one is met."""


def word_features(one: str, two: str, language: str) -> tuple[FloatArray, FloatArray]:
    """A row for each word of each side; an empty sentence has one row of nothing."""
    a, b = tokens(one, language), tokens(two, language)
    if not a or not b:
        return _nothing(a), _nothing(b)
    alike = np.array([[_alike(x.casefold(), y.casefold()) for y in b] for x in a])
    here, there = _places(len(a)), _places(len(b))
    near = alike - NEAR * np.abs(here[:, None] - there[None, :])
    best, back = near.argmax(axis=1), near.argmax(axis=0)
    return (
        _rows(a, best, back, alike.max(axis=1), here, there, language),
        _rows(b, back, best, alike.max(axis=0), there, here, language),
    )


def _nothing(words: Sequence[str]) -> FloatArray:
    return np.zeros((max(len(words), 1), len(WORD_FEATURES)), dtype=np.float32)


def _rows(
    words: Sequence[str],
    best: NDArray[np.intp],
    back: NDArray[np.intp],
    alike: NDArray[np.float64],
    here: NDArray[np.float64],
    there: NDArray[np.float64],
    language: str,
) -> FloatArray:
    count = len(words)
    step = np.diff(best, prepend=best[:1] - 1)
    moved = there[best] - here
    columns = [
        alike,
        back[best] == np.arange(count),
        moved,
        np.abs(moved),
        step == 1,
        step < 0,
        np.clip(np.abs(step - 1), 0, 8) / 8,
        [word[0].isdigit() for word in words],
        [word[0].isupper() for word in words],
        [is_negation(word.casefold(), language) for word in words],
        [len(word) <= 3 for word in words],
        [math.log(len(word)) for word in words],
        here,
        np.arange(count) == 0,
    ]
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _places(count: int) -> NDArray[np.float64]:
    return np.arange(count) / max(count - 1, 1)


@lru_cache(maxsize=1 << 17)
def _alike(one: str, two: str) -> float:
    """1 for the same word, else the share of character bigrams that both have."""
    if one == two:
        return 1.0
    a, b = _bigrams(one), _bigrams(two)
    return 2 * len(a & b) / (len(a) + len(b))


@lru_cache(maxsize=1 << 16)
def _bigrams(word: str) -> frozenset[str]:
    padded = f"<{word}>"
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1))
