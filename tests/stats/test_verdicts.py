"""Claims about the most, and the verdicts of a report together."""

from __future__ import annotations

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats import Claim, Lead, holm, interval, leads, p_value, verdicts
from hyperbaton.stats.resample import FloatArray, count_vectors

COUNTS = {n: np.concatenate(list(count_vectors(n, 400, seed=1))) for n in (60, 500)}


def judged(rows: FloatArray, inside: list[int], sign: int = 1) -> Lead:
    """The claim that some columns have the largest means."""
    outside = [i for i in range(rows.shape[1]) if i not in inside]
    drawn = COUNTS[len(rows)] @ rows / len(rows)
    return leads(rows.mean(axis=0), drawn, inside, outside, len(rows), sign)


def verdict(lead: Lead) -> str:
    return verdicts([Claim(lead.low, lead.high, lead.p)])[0]


def items(rng: np.random.Generator, n: int, means: FloatArray, spread: float = 0.09) -> FloatArray:
    return np.asarray(means + rng.normal(0, 0.2, (n, 1)) + rng.normal(0, spread, (n, len(means))))


def test_a_true_lead_is_confirmed_and_never_rejected() -> None:
    rng = np.random.default_rng(1)
    means = np.r_[0.0, np.full(15, -0.02)]
    found = [verdict(judged(items(rng, 500, means), [0])) for _ in range(100)]
    assert found.count("does not hold") == 0
    assert found.count("holds") > 50


def test_a_true_lead_over_noise_is_not_rejected_as_the_least_of_resamples_would() -> None:
    rng = np.random.default_rng(2)
    means = np.r_[0.0, np.full(15, -0.02)]
    new, old = 0, 0
    for _ in range(100):
        rows = items(rng, 60, means, spread=0.25)
        drawn = COUNTS[60] @ rows / 60
        new += verdict(judged(rows, [0])) == "does not hold"
        old += bool(np.quantile(drawn[:, 0] - drawn[:, 1:].max(axis=1), 0.975) < 0)
    assert new == 0
    assert old >= 20


def test_a_clear_rival_refutes_the_claim() -> None:
    rows = items(np.random.default_rng(3), 500, np.array([0.0, 0.1, -0.2, -0.3]))
    lead = judged(rows, [0])
    assert verdict(lead) == "does not hold"
    assert (lead.named, lead.rival, lead.comparisons) == (0, 1, 3)
    assert lead.high < 0


def test_all_of_the_named_must_lead() -> None:
    means = np.array([0.3, 0.2, 0.0, -0.1])
    rows = items(np.random.default_rng(4), 500, means)
    assert verdict(judged(rows, [0, 1])) == "holds"
    assert verdict(judged(rows, [0, 2])) == "does not hold"
    assert verdict(judged(rows, [3], sign=-1)) == "holds"
    assert judged(rows, [3], sign=-1).value == pytest.approx(0.1, abs=0.03)


def test_equal_columns_and_gaps_decide_nothing() -> None:
    rows = items(np.random.default_rng(5), 60, np.zeros(1))[:, [0, 0, 0]]
    assert judged(rows, [0]).p == 1
    rows[:, 1] = np.nan
    assert judged(rows, [0]).rival == 2
    rows[:, 2] = np.nan
    nothing = judged(rows, [0])
    assert np.isnan(nothing.p)
    assert verdict(nothing) == "undecided"
    with pytest.raises(HyperbatonError, match="leave at least one"):
        leads(np.zeros(2), np.zeros((5, 2)), [0, 1], [], items=9)


def test_six_null_claims_are_rarely_decided() -> None:
    rng = np.random.default_rng(6)
    new, old = 0, 0
    for _ in range(200):
        rows = rng.normal(0, 0.2, (60, 6))
        drawn = COUNTS[60] @ rows / 60
        claims, plain = [], False
        for value, column in zip(rows.mean(axis=0), drawn.T, strict=True):
            span = interval(value, column, 60)
            claims.append(Claim(span.low, span.high, p_value(value, column, 60)))
            plain |= interval(value, column, 60, method="percentile").excludes(0)
        new += set(verdicts(claims)) != {"undecided"}
        old += plain
    assert new <= 20
    assert old >= 40


def test_verdicts_are_those_of_adjusted_p_values() -> None:
    p_values = [0.001, 0.02, 0.02, 0.2]
    claims = [Claim(0.1, 0.3, p) for p in p_values]
    expected = ["holds" if p < 0.05 else "undecided" for p in holm(p_values)]
    assert list(verdicts(claims)) == expected == ["holds", *["undecided"] * 3]
    assert verdicts([Claim(-0.3, -0.1, 0.01, threshold=-0.5)]) == ("holds",)
    assert verdicts([Claim(-0.1, 0.1, 0.01), Claim(np.nan, np.nan, np.nan)]) == ("undecided",) * 2
    below = [Claim(-0.3, -0.1, 0.001, above=False), Claim(0.1, 0.3, 0.001, above=False)]
    assert verdicts(below) == ("holds", "does not hold")
    assert verdicts([]) == ()
