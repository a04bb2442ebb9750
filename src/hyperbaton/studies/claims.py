"""Claims put to the test: a number, its interval, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.stats import Estimate
from hyperbaton.studies.aggregates import Aggregate, Floats, aggregate

__all__ = ["finding", "lead", "verdict", "weakly"]


def verdict(low: float, high: float, threshold: float = 0.0, above: bool = True) -> Verdict:
    """Whether an interval lies on the side of the threshold that is claimed, or on both.

    >>> verdict(0.1, 0.2), verdict(-0.2, -0.1), verdict(-0.1, 0.1), verdict(-0.2, -0.1, above=False)
    ('holds', 'does not hold', 'undecided', 'holds')
    """
    if low > threshold:
        return "holds" if above else "does not hold"
    if high < threshold:
        return "does not hold" if above else "holds"
    return "undecided"


def weakly(r: Estimate) -> Verdict:
    """Whether a correlation is weak (.1 to .4) and positive, as far as its interval lets one say.

    >>> from hyperbaton.stats import Interval
    >>> def told(r, low, high):
    ...     return weakly(Estimate(r, Interval(low, high), r, 0.1, 100))
    >>> told(0.26, 0.23, 0.29), told(0.35, 0.21, 0.48), told(0.50, 0.38, 0.62)
    ('holds', 'holds', 'undecided')
    >>> told(0.50, 0.45, 0.55), told(0.05, 0.01, 0.09), told(0.2, -0.1, 0.5)
    ('does not hold', 'does not hold', 'undecided')
    """
    weakest, strongest = 0.1, 0.4
    if r.interval.high < weakest or r.interval.low >= strongest:
        return "does not hold"
    return "holds" if r.interval.low > 0 and weakest <= r.value < strongest else "undecided"


def finding(
    claim: str,
    statistic: str,
    found: Aggregate | Estimate,
    detail: str = "",
    threshold: float = 0.0,
    run: str = "",
    above: bool = True,
    decided: Verdict | None = None,
) -> Finding:
    """The claim that a number lies above a threshold, or below; another rule may decide it."""
    span = (
        (found.low, found.high)
        if isinstance(found, Aggregate)
        else (found.interval.low, found.interval.high)
    )
    told = decided or verdict(*span, threshold, above)
    return Finding(claim, statistic, found.value, *span, told, detail, threshold, run)


def lead(values: Floats, drawn: Floats, inside: Sequence[int], sign: int, n: int) -> Aggregate:
    """How far the least of some columns is ahead of the best of the others."""
    outside = [i for i in range(len(values)) if i not in inside]

    def ahead(rows: Floats) -> Floats:
        signed = sign * rows
        return np.asarray(signed[:, list(inside)].min(axis=1) - signed[:, outside].max(axis=1))

    return aggregate(values, drawn, ahead, n)
