"""The claims of one report, corrected for their number: Holm, verdicts, and "X is the most …".

The lead of the least of some means over the best of the others is biased when it is resampled: a
minimum over noise lies too low, a maximum too high, so a true claim is rejected. So each of the
named is compared with each competitor, and the comparison that looks worst for the claim decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats.intervals import interval, t_value, tail
from hyperbaton.stats.resample import FloatArray


def holm(p_values: ArrayLike) -> tuple[float, ...]:
    """Adjusted p-values (Holm 1979), in the order given; compare each with the level itself.

    A NaN is a test that was not made: it stays NaN and does not count.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    (0.03, 0.06, 0.06, 0.02)
    """
    p = np.asarray(p_values, dtype=np.float64).ravel()
    made = ~np.isnan(p)
    if ((p[made] < 0) | (p[made] > 1)).any():
        raise HyperbatonError("a p-value lies between 0 and 1")
    known = p[made]
    ascending = np.argsort(known, kind="stable")
    steps = known[ascending] * np.arange(len(known), 0, -1)
    adjusted = np.empty_like(known)
    adjusted[ascending] = np.minimum(np.maximum.accumulate(steps), 1)
    result = np.full(len(p), np.nan)
    result[made] = adjusted
    return tuple(result.tolist())


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


@dataclass(frozen=True)
class Lead:
    """The comparison that decides: `named` minus `rival`, with the p-value of the whole claim.

    The lead is above 0 where the claim looks true. Against it, p is corrected for the number of
    comparisons (Holm); for it, none is needed, since every single comparison has to be clear.
    """

    named: int
    rival: int
    value: float
    low: float
    high: float
    p: float
    comparisons: int


def leads(
    values: FloatArray,
    drawn: NDArray[np.floating],
    inside: Sequence[int],
    outside: Sequence[int],
    items: int,
    sign: int = 1,
    level: float = 0.95,
) -> Lead:
    """Judge whether the means `inside` are the largest (sign −1: the smallest) of all.

    `drawn` holds the means of each resample (resamples × means), `items` counts the items behind
    the means. A mean that is NaN is not compared.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([0.5, 0.3, 0.2])
    >>> found = leads(values, values + rng.normal(0, 0.02, (1000, 3)), [0], [1, 2], items=200)
    >>> found.named, found.rival, round(found.value, 2), found.p < 0.001
    (0, 1, 0.2, True)
    """
    if not len(inside) or not len(outside):
        raise HyperbatonError(
            "the claim names no mean, or all of them: leave at least one to compare with"
        )
    pairs = [
        (i, j) for i in inside for j in outside if not np.isnan(values[i]) | np.isnan(values[j])
    ]
    if not pairs:
        nan = float("nan")
        return Lead(inside[0], outside[0], nan, nan, nan, nan, 0)
    columns = sign * np.asarray(drawn, dtype=np.float64)
    gaps = [sign * float(values[i] - values[j]) for i, j in pairs]
    t = [
        t_value(gap, columns[:, i] - columns[:, j], items)
        for gap, (i, j) in zip(gaps, pairs, strict=True)
    ]
    worst = int(np.argmin(t))
    named, rival = pairs[worst]
    found = interval(gaps[worst], columns[:, named] - columns[:, rival], items, level)
    one_sided = min(tail(t[worst], items), len(pairs) * tail(-t[worst], items))
    p = float(min(1, 2 * one_sided))
    return Lead(named, rival, gaps[worst], found.low, found.high, p, len(pairs))
