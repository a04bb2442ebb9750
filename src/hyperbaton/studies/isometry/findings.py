"""The paper's findings, put to the test."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.stats import Bootstrap, compare, ratios
from hyperbaton.studies.isometry.correlation import correlate
from hyperbaton.studies.isometry.judged import Judged
from hyperbaton.studies.isometry.vote import OUTCOMES

__all__ = ["findings"]

ISOMETRIC, TYPE_2 = OUTCOMES.index("[1,1]"), OUTCOMES.index("[1,0]")


def findings(runs: Sequence[Judged], bootstrap: Bootstrap | None = None) -> list[Finding]:
    """All claims, for every data set; the system named first is taken for the better one."""
    found: list[Finding] = []
    for one, two in combinations(runs, 2):
        if one.dataset == two.dataset and one.detectors == two.detectors:
            found += _between(one, two, bootstrap)
    for run in runs:
        found += _correlation(run, bootstrap)
    return found


def _between(one: Judged, two: Judged, bootstrap: Bootstrap | None) -> list[Finding]:
    pairs = ((ISOMETRIC, True), (TYPE_2, False))
    claims = (
        "The better system is isometric more often",
        "The better system breaks equivalence less often",
    )
    papers = (".692 against .548", ".024 against .131")
    shared = sorted(set(one.items) & set(two.items))
    found = []
    for (outcome, above), claim, paper in zip(pairs, claims, papers, strict=True):
        first, second = (_indicator(run, shared, outcome) for run in (one, two))
        result = compare(first, second, ratios, bootstrap)
        difference = result.difference
        low, high = difference.interval.low, difference.interval.high
        found.append(
            Finding(
                claim=f"{claim}: {one.system} against {two.system}",
                statistic=f"difference in the share of {OUTCOMES[outcome]}",
                value=difference.value,
                low=low,
                high=high,
                verdict=_verdict(low, high, above),
                detail=(
                    f"{result.first.value:.3f} against {result.second.value:.3f} of "
                    f"{len(shared)} pairs; the paper: {paper}. The system named first is taken "
                    "for the better one."
                ),
                run=one.dataset,
            )
        )
    return found


def _indicator(run: Judged, items: Sequence[str], outcome: int) -> np.ndarray:
    """1 and the count of one for each pair, so that sums give shares."""
    place = {item: i for i, item in enumerate(run.items)}
    chosen = run.votes.outcomes[[place[item] for item in items]] == outcome
    return np.column_stack([chosen, np.ones(len(items))]).astype(np.float64)


def _verdict(low: float, high: float, above: bool) -> Verdict:
    if not (np.isfinite(low) and np.isfinite(high)) or low <= 0 <= high:
        return "undecided"
    return "holds" if (low > 0) == above else "does not hold"


def _correlation(run: Judged, bootstrap: Bootstrap | None) -> list[Finding]:
    strength = correlate(run, "chrF̄2", "majority", bootstrap)
    pooled = correlate(run, "chrF̄2", "pooled", bootstrap)
    if strength is None or pooled is None or not np.isfinite(strength.found.r):
        return []
    low, high = strength.interval.low, strength.interval.high
    return [
        Finding(
            claim=f"chrF̄2 goes weakly with S, and the right way: {run.system}",
            statistic="r of chrF̄2 and S",
            value=strength.found.r,
            low=low,
            high=high,
            verdict=_weakly(strength.found.r, low, high),
            detail=(
                f"Majority labels, ∅ removed, n = {strength.found.n}, {strength.found.band}, "
                f"t = {strength.t:.2f}, one-tailed p = {strength.found.p:.2g}; every detector's "
                f"labels pooled: r = {pooled.found.r:.4f}, n = {pooled.found.n}. The interval "
                "resamples pairs. The paper: .27, weak, for both systems."
            ),
            run=run.dataset,
        )
    ]


def _weakly(r: float, low: float, high: float) -> Verdict:
    """Whether a correlation is weak and positive, as far as its interval lets one say.

    >>> _weakly(0.26, 0.23, 0.29), _weakly(0.35, 0.21, 0.48), _weakly(0.50, 0.38, 0.62)
    ('holds', 'holds', 'undecided')
    >>> _weakly(0.50, 0.45, 0.55), _weakly(0.05, 0.01, 0.09), _weakly(0.2, -0.1, 0.5)
    ('does not hold', 'does not hold', 'undecided')
    """
    weakest, strongest = 0.1, 0.4
    if high < weakest or low >= strongest:
        return "does not hold"
    return "holds" if low > 0 and weakest <= r < strongest else "undecided"
