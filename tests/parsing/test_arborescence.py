"""The best tree, against all trees there are."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.parsing.natasha_parser import best_tree, is_tree


def _best_of_all(scores: np.ndarray) -> float:
    size = len(scores)
    choices = [[head for head in range(-1, size) if head != word] for word in range(size)]
    return max(_sum(scores, heads) for heads in map(list, product(*choices)) if is_tree(heads))


def _sum(scores: np.ndarray, heads: list[int]) -> float:
    return float(sum(scores[word, head + 1] for word, head in enumerate(heads)))


@given(st.integers(1, 5), st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1.0, 100.0]))
def test_no_tree_scores_higher(size: int, seed: int, scale: float) -> None:
    scores = np.random.default_rng(seed).normal(scale=scale, size=(size, size + 1))
    heads = best_tree(scores)
    assert is_tree(heads)
    assert np.isclose(_sum(scores, heads), _best_of_all(scores))


@given(st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_always_a_tree(size: int, seed: int) -> None:
    assert is_tree(best_tree(np.random.default_rng(seed).normal(size=(size, size + 1))))


def test_many_roots_and_circles_are_mended() -> None:
    scores = np.array([[9.0, 0, 1, 0], [9.5, 1, 0, 0], [0.0, 0, 5, 0]])
    assert best_tree(scores) == [1, -1, 1]
    circle = np.array([[0.0, 0, 9, 1], [1.0, 9, 0, 2], [5.0, 1, 2, 0]])
    assert best_tree(circle) == [1, 2, -1]


def test_empty() -> None:
    assert best_tree(np.zeros((0, 1))) == []
