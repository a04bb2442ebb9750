"""Draws are uniform, independent of one another, and the same on every machine."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from hyperbaton.base.randomness import Rng


def test_the_same_everywhere() -> None:
    """Values fixed for ever: a change of them changes every published result."""
    assert Rng(3, "n01001011", "wordShuffle", 2).permutation(8) == [1, 2, 0, 3, 6, 4, 5, 7]
    assert Rng(0, "", "").numbers(1)[0] == 681063270


@given(st.integers(), st.text(), st.text(), st.integers(0, 100), st.integers(0, 70))
def test_permutation(seed: int, item: str, perturbation: str, draw: int, size: int) -> None:
    first = Rng(seed, item, perturbation, draw).permutation(size)
    assert sorted(first) == list(range(size))
    assert first == Rng(seed, item, perturbation, draw).permutation(size)


def test_permutations_are_uniform() -> None:
    counts = Counter(tuple(Rng(0, str(i), "p").permutation(4)) for i in range(24_000))
    observed = [counts[order] for order in permutations(range(4))]
    assert chisquare(observed).pvalue > 0.001


def test_long_permutations_use_more_blocks() -> None:
    """Where the first unit of forty goes: the later blocks are as random as the first."""
    counts = Counter(Rng(0, str(i), "p").permutation(40).index(39) for i in range(8_000))
    assert chisquare([counts[place] for place in range(40)]).pvalue > 0.001


def test_coins_fall_as_often_as_they_should() -> None:
    for p in (0.0, 0.01, 0.3, 0.5, 0.975, 1.0):
        heads = sum(sum(Rng(0, str(i), "p").coins(p, 50)) for i in range(400))
        assert abs(heads - 20_000 * p) <= 4 * (20_000 * p * (1 - p)) ** 0.5


def test_below() -> None:
    counts = Counter(Rng(0, str(i), "p").below(7) for i in range(7_000))
    assert chisquare([counts[value] for value in range(7)]).pvalue > 0.001


def test_every_part_of_the_key_counts() -> None:
    keys = [
        (0, "a", "b", 0),
        (1, "a", "b", 0),
        (0, "x", "b", 0),
        (0, "a", "x", 0),
        (0, "a", "b", 1),
    ]
    keys += [(0, "b", "a", 0), (10, "a", "b", 0), (1, "0", "b", 0), (0, "ab", "", 0)]
    drawn = [tuple(Rng(*key).numbers(4)) for key in keys]
    assert len(set(drawn)) == len(keys)


def test_later_draws_differ_from_earlier_ones() -> None:
    rng = Rng(0, "a", "b")
    assert rng.numbers(16) != rng.numbers(16)
    assert rng.shuffled("abcdefgh") != rng.shuffled("abcdefgh")
