"""The verdicts of one report, corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from hyperbaton.stats.multiplicity import holm

__all__ = ["Claim", "Verdict", "verdicts"]

Verdict = Literal["holds", "does not hold", "undecided"]


class Claim(NamedTuple):
    """That a number lies above a threshold, or below: its interval, its p against the threshold."""

    low: float
    high: float
    p: float
    threshold: float = 0.0
    above: bool = True


def verdicts(claims: Sequence[Claim], level: float = 0.05) -> tuple[Verdict, ...]:
    """Decide all claims of a report together, so that any false decision has the chance `level`.

    A verdict stands where the p-value, corrected by Holm, is below the level and the interval lies
    on one side of the threshold. The interval itself is not corrected: it is the one to show.

    >>> verdicts([Claim(0.1, 0.2, 0.001), Claim(-0.2, -0.1, 0.001), Claim(0.01, 0.3, 0.04)])
    ('holds', 'does not hold', 'holds')
    >>> verdicts([Claim(0.01, 0.3, 0.04), Claim(-0.1, 0.3, 0.4)])
    ('undecided', 'undecided')
    """
    adjusted = holm([claim.p for claim in claims])
    return tuple(_verdict(claim, p < level) for claim, p in zip(claims, adjusted, strict=True))


def _verdict(claim: Claim, clear: bool) -> Verdict:
    if not clear or not (claim.low > claim.threshold or claim.high < claim.threshold):
        return "undecided"
    return "holds" if (claim.low > claim.threshold) == claim.above else "does not hold"
