"""Holm's correction against statsmodels' figures and the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats import holm


@pytest.mark.parametrize(
    ("p", "adjusted"),
    [  # statsmodels.stats.multitest.multipletests(p, method="holm"), version 0.15.0
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.5, 0.9], [1.0, 1.0, 1.0]),
        (
            [0.0001, 0.2, 0.0001, 0.04, 0.03, 1.0, 0.011],
            [0.0007, 0.4, 0.0007, 0.12, 0.12, 1.0, 0.05499999999999999],
        ),
        ([0.02], [0.02]),
        ([], []),
    ],
)
def test_holm_table(p: list[float], adjusted: list[float]) -> None:
    assert holm(p) == pytest.approx(adjusted, abs=1e-15)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.001, 0.2))
def test_holm_rejects_what_the_stepwise_rule_rejects(p: list[float], level: float) -> None:
    rejected: set[int] = set()
    for step, index in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[index] * (len(p) - step) > level:
            break
        rejected.add(index)
    assert {i for i, value in enumerate(holm(p)) if value <= level} == rejected


def test_holm_passes_over_tests_not_made() -> None:
    adjusted = holm([0.01, np.nan, 0.02])
    assert adjusted[0] == pytest.approx(0.02)
    assert np.isnan(adjusted[1])
    with pytest.raises(HyperbatonError, match="between 0 and 1"):
        holm([1.5])
