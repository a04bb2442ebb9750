"""The places where two translations differ, counted from an error: the paper's own example."""

from __future__ import annotations

from hyperbaton.studies.grammar.damage import divergence, pivot

CLEAN = "Ich möchte mit Kindern spielen und ihr Lächeln den ganzen Tag sehen"
NOISY = "Ich will mit den Kindern spielen und sie den ganzen Tag sehen"


def test_the_papers_example() -> None:
    clean, noisy = CLEAN.split(), NOISY.split()
    assert divergence(clean, noisy, 7) == [-6, -1, 0]
    assert divergence(noisy, clean, 7) == [-6, 0]
    assert divergence(clean, clean, 7) == []


def test_the_pivot_is_the_first_link() -> None:
    assert pivot(3, [(3, 8), (3, 6), (1, 0)]) == 6
    assert pivot(2, [(3, 8)]) is None
