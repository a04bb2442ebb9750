"""Verdicts: corrected for their number, careful with few items, and fair to "X is the most …"."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hyperbaton.report.contents import Contents, Finding
from hyperbaton.stats import interval
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.layer.aggregate import Aggregate, Floats
from hyperbaton.studies.layer.claims import asked, decided, tally, with_claims
from hyperbaton.studies.layer.evidence import Evidence, finding, most, weighed

COUNTS = np.concatenate(list(count_vectors(60, 400, seed=1)))
"""Resamples of sixty items."""


def _aggregate(value: float, error: float, n: int = 200, seed: int = 1) -> Aggregate:
    drawn = np.random.default_rng(seed).normal(value, error, 1000)
    return Aggregate.of(value, drawn, n)


def _finding(claim: str, number: Aggregate, detail: str = "") -> Finding:
    return finding(claim, "s", number, detail)


def test_a_verdict_that_many_claims_would_make_by_chance_is_undecided() -> None:
    alone = _finding("a", _aggregate(0.22, 0.1))
    assert alone.verdict == "holds"
    assert decided([alone])[0].verdict == "holds"
    others = [_finding("b", _aggregate(0.01, 0.1, seed=n)) for n in range(5)]
    together = decided([alone, *others])
    assert together[0].verdict == "undecided"
    assert together[0].adjusted == pytest.approx(6 * alone.p)
    sure = _finding("c", _aggregate(1.0, 0.1))
    assert decided([sure, *others])[0].verdict == "holds"


@pytest.mark.parametrize(
    ("value", "by_chance", "verdict"),
    [(0.1, 0.0, "holds"), (-0.1, 0.0, "does not hold"), (0.1, 0.1, "undecided")],
)
def test_chance_that_never_varies_is_the_number_that_it_gives(
    value: float, by_chance: float, verdict: str
) -> None:
    """BLEU without smoothing gives 0 to every answer that belongs to another sentence."""
    chance = _finding("a", Aggregate.of(by_chance, np.full(1000, by_chance), 200))
    assert np.isnan(chance.low)
    [told] = decided([_finding("a", _aggregate(value, 0.01))], [chance])
    assert told.verdict == verdict
    assert "–" not in told.detail


def test_few_items_are_told() -> None:
    assert (
        "Only 7 items: take it as a hint."
        in decided([_finding("a", _aggregate(1.0, 0.1, n=7), "detail")])[0].detail
    )
    assert "(Only 1 item:" in decided([_finding("a", _aggregate(1.0, 0.1, n=1))])[0].detail
    assert decided([_finding("a", _aggregate(1.0, 0.1, n=30))])[0].detail == ""


def test_one_item_decides_nothing() -> None:
    found = decided([_finding("a", Aggregate.of(1.0, np.ones(1000), 1))])[0]
    assert found.verdict == "undecided"
    assert np.isnan(found.low)


def _most(values: dict[str, float], named: list[str]) -> Finding | None:
    means = {
        name: _aggregate(value, 0.005, seed=n) for n, (name, value) in enumerate(values.items())
    }
    tested = most("score", means, named)
    return None if isinstance(tested, str) else weighed("x is the most", tested)


def test_the_most_is_judged_against_every_rival() -> None:
    clear = _most({"a": 0.5, "b": 0.4, "c": 0.3}, ["a"])
    assert clear is not None
    assert clear.verdict == "holds"
    assert clear.value == pytest.approx(0.1)
    assert "The weakest of 2 decides: a against b." in clear.detail
    beaten = _most({"a": 0.5, "b": 0.4, "c": 0.3}, ["b"])
    assert beaten is not None
    assert beaten.verdict == "does not hold"
    # Many equal rivals: the largest of them is ahead by chance, which must not reject the claim.
    close = _most({"a": 0.5, **{f"b{n}": 0.499 for n in range(14)}}, ["a"])
    assert close is not None
    assert decided([close])[0].verdict == "undecided"
    assert _most({"a": 0.5}, ["a"]) is None
    assert _most({"a": 0.5, "b": 0.4}, ["a", "missing"]) is None


def _lead(rows: Floats, named: list[int]) -> Finding:
    """The claim that some columns have the largest means."""
    drawn = COUNTS @ rows / len(rows)
    columns = enumerate(zip(rows.mean(axis=0).tolist(), drawn.T, strict=True))
    means = {str(i): Aggregate.of(*column, len(rows)) for i, column in columns}
    tested = most("score", means, [str(i) for i in named])
    assert isinstance(tested, Evidence)
    return weighed("x is the most", tested)


def test_a_true_lead_over_noise_is_not_rejected_as_the_least_of_resamples_would() -> None:
    rng = np.random.default_rng(2)
    means = np.r_[0.0, np.full(15, -0.02)]
    new, old = 0, 0
    for _ in range(60):
        rows = means + rng.normal(0, 0.2, (60, 1)) + rng.normal(0, 0.25, (60, 16))
        drawn = COUNTS @ rows / 60
        new += decided([_lead(rows, [0])])[0].verdict == "does not hold"
        old += bool(np.quantile(drawn[:, 0] - drawn[:, 1:].max(axis=1), 0.975) < 0)
    assert new == 0
    assert old >= 12


def test_six_null_claims_are_rarely_decided() -> None:
    rng = np.random.default_rng(6)
    new, old = 0, 0
    for _ in range(200):
        rows = rng.normal(0, 0.2, (60, 6))
        drawn = COUNTS @ rows / 60
        columns = list(zip(rows.mean(axis=0).tolist(), drawn.T, strict=True))
        claims = [_finding(str(i), Aggregate.of(*each, 60)) for i, each in enumerate(columns)]
        new += {one.verdict for one in decided(claims)} != {"undecided"}
        old += any(interval(*each, 60, method="percentile").excludes(0) for each in columns)
    assert new <= 20
    assert old >= 40


def test_all_numbers_of_a_claim_have_to_hold() -> None:
    """One that fails decides, and is corrected for how many might have; one that is open opens."""
    sure, open_, failed = _aggregate(1, 0.1), _aggregate(0.1, 0.1), _aggregate(-0.25, 0.1)
    both = weighed("c", Evidence("s", {"a": sure, "b": sure}))
    assert (both.verdict, both.p) == ("holds", sure.p_against(0))
    unclear = weighed("c", Evidence("s", {"a": sure, "b": open_}))
    assert unclear.verdict == "undecided"
    assert unclear.value == pytest.approx(0.1)
    wrong = weighed("c", Evidence("s", {"a": sure, "b": failed, "c": open_}))
    assert wrong.verdict == "does not hold"
    assert wrong.p == pytest.approx(3 * failed.p_against(0))
    assert wrong.detail.startswith("The weakest of 3 decides: b.")


def test_parts_are_corrected_for_their_own_number() -> None:
    whole = _finding("a", _aggregate(0.22, 0.1))
    parts = [replace(_finding(f"p{n}", _aggregate(0.22, 0.1)), part_of="a") for n in range(5)]
    first, *others = decided([whole, *parts])
    assert first.verdict == "holds"
    assert {one.verdict for one in others} == {"undecided"}


def test_chosen_claims_alone_are_corrected_for() -> None:
    def put(value: float) -> Evidence:
        return Evidence("s", {"": _aggregate(value, 0.1)})

    weak = {name: (lambda _, value=value: put(value)) for name, value in _WEAK.items()}
    found = decided(asked("wordorder", weak, None))
    told = {one.id: one for one in found}
    assert told["W1"].verdict == "undecided"
    assert told["W13"].verdict == "not asked"
    assert told["W13"].detail.startswith("needs Japanese")
    contents = Contents("", "", found, [], [], None, [], "")
    some = with_claims("wordorder", contents, ["W1", "W13"])
    assert [one.id for one in some.findings] == ["W1", "W13"]
    assert some.findings[0].verdict == "holds"
    assert some.summary == ("Of 2 claims of Parthasarathi et al. (2021) 1 could be asked: 1 holds.")
    assert "Of 19 claims" in tally("wordorder", found)


_WEAK = {"W1": 0.22, **{f"W{n}": 0.05 for n in range(2, 8)}}
