"""Verdicts: corrected for their number, careful with few items, and fair to "X is the most …"."""

from __future__ import annotations

import numpy as np
import pytest

from hyperbaton.report.contents import Finding
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.claims import decided, finding, most


def _aggregate(value: float, error: float, n: int = 200, seed: int = 1) -> Aggregate:
    drawn = np.random.default_rng(seed).normal(value, error, 1000)
    return Aggregate.of(value, drawn, n)


def test_a_verdict_that_many_claims_would_make_by_chance_is_undecided() -> None:
    alone = finding("a", "s", _aggregate(0.22, 0.1))
    assert alone.verdict == "holds"
    assert decided([alone])[0].verdict == "holds"
    others = [finding("b", "s", _aggregate(0.01, 0.1, seed=n)) for n in range(5)]
    together = decided([alone, *others])
    assert together[0].verdict == "undecided"
    assert together[0].adjusted == pytest.approx(6 * alone.p)
    sure = finding("c", "s", _aggregate(1.0, 0.1))
    assert decided([sure, *others])[0].verdict == "holds"


def test_few_items_are_told() -> None:
    assert (
        "Only 7 items: take it as a hint."
        in decided([finding("a", "s", _aggregate(1.0, 0.1, n=7), "detail")])[0].detail
    )
    assert "(Only 1 item:" in decided([finding("a", "s", _aggregate(1.0, 0.1, n=1))])[0].detail
    assert decided([finding("a", "s", _aggregate(1.0, 0.1, n=30))])[0].detail == ""


def test_one_item_decides_nothing() -> None:
    found = decided([finding("a", "s", Aggregate.of(1.0, np.ones(1000), 1))])[0]
    assert found.verdict == "undecided"
    assert np.isnan(found.low)


def _most(values: dict[str, float], named: list[str], sign: int = 1) -> Finding | None:
    means = {
        name: _aggregate(value, 0.005, seed=n) for n, (name, value) in enumerate(values.items())
    }
    return most("x is the most", "score", means, named, sign, "most")


def test_the_most_is_judged_against_every_rival() -> None:
    clear = _most({"a": 0.5, "b": 0.4, "c": 0.3}, ["a"])
    assert clear is not None
    assert clear.verdict == "holds"
    assert clear.value == pytest.approx(0.1)
    assert "a against b decides, of 2 comparisons" in clear.detail
    beaten = _most({"a": 0.5, "b": 0.4, "c": 0.3}, ["b"])
    assert beaten is not None
    assert beaten.verdict == "does not hold"
    least = _most({"a": 0.5, "b": 0.4, "c": 0.3}, ["c"], sign=-1)
    assert least is not None
    assert least.verdict == "holds"
    # Many equal rivals: the largest of them is ahead by chance, which must not reject the claim.
    close = _most({"a": 0.5, **{f"b{n}": 0.499 for n in range(14)}}, ["a"])
    assert close is not None
    assert close.verdict == "undecided"
    assert _most({"a": 0.5}, ["a"]) is None
    assert _most({"a": 0.5, "b": 0.4}, ["a", "missing"]) is None
