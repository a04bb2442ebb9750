"""Claims put to the test: a number, its interval, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.studies.aggregates import Aggregate, Floats, aggregate

__all__ = ["finding", "lead", "verdict"]


def verdict(low: float, high: float, threshold: float = 0.0) -> Verdict:
    """Whether the interval lies above the threshold, below it, or on both sides.

    >>> verdict(0.1, 0.2), verdict(-0.2, -0.1), verdict(-0.1, 0.1)
    ('holds', 'does not hold', 'undecided')
    """
    if low > threshold:
        return "holds"
    return "does not hold" if high < threshold else "undecided"


def finding(
    claim: str, statistic: str, found: Aggregate, detail: str = "", threshold: float = 0.0
) -> Finding:
    """The claim that a number lies above a threshold."""
    decided = verdict(found.low, found.high, threshold)
    return Finding(claim, statistic, found.value, found.low, found.high, decided, detail, threshold)


def lead(values: Floats, drawn: Floats, inside: Sequence[int], sign: int, n: int) -> Aggregate:
    """How far the least of some columns is ahead of the best of the others."""
    outside = [i for i in range(len(values)) if i not in inside]

    def ahead(rows: Floats) -> Floats:
        signed = sign * rows
        return np.asarray(signed[:, list(inside)].min(axis=1) - signed[:, outside].max(axis=1))

    return aggregate(values, drawn, ahead, n)
