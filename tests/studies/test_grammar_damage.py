"""The places where two translations differ, counted from an error: the paper's own example."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hyperbaton.studies.grammar.damage import divergence, moments, pivot

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


@given(st.lists(st.integers(-30, 30), min_size=2, max_size=60))
def test_skewness_is_scipys(values: list[int]) -> None:
    found = moments(values)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.deviation == pytest.approx(np.std(values))
    if len(set(values)) == 1:
        assert np.isnan(found.skewness)
    else:
        assert found.skewness == pytest.approx(stats.skew(values, bias=True), abs=1e-10)
    assert found.n == len(values)


def test_equal_fractions_have_no_skewness() -> None:
    assert np.isnan(moments([0.1] * 7).skewness)
    assert moments([-1, 0, 1]).skewness == pytest.approx(0, abs=1e-15)
