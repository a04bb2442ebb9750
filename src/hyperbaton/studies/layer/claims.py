"""Claims put to the test: a number, its interval, and a verdict that counts how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import ndtr

from hyperbaton.base.wording import counted
from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.report.numbers import precision, show
from hyperbaton.stats import holm, leads
from hyperbaton.studies.layer.aggregate import FEWEST, Aggregate

LEVEL = 0.05
_REACH = 1.96
CHANCE = (
    "By chance: the same number of the same answers, each given to another sentence of about the "
    "same length. A claim stands where it goes certainly beyond that too."
)
CORRECTED = (
    "A verdict stands where its p-value, corrected after Holm for the number of claims on this "
    "page, is below .05; intervals are not corrected."
)


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


def finding(
    claim: str,
    statistic: str,
    found: Aggregate,
    detail: str = "",
    threshold: float = 0.0,
    run: str = "",
    part_of: str = "",
) -> Finding:
    """The claim that a number lies above a threshold, maybe `part_of` another claim."""
    told = verdict(found.low, found.high, threshold)
    span = found.value, found.low, found.high
    p = found.p_against(threshold)
    return Finding(
        claim, statistic, *span, told, detail, threshold, run, p, n=found.n, part_of=part_of
    )


def decided(
    findings: Sequence[Finding],
    chance: Sequence[Finding] = (),
    untested: str = "",
    unit: str = "item",
) -> list[Finding]:
    """The claims of one report decided together; a verdict on few items is told to be a hint.

    `chance` are the same claims on the same answers given to other sentences: a claim has to go
    beyond what they give. `untested` says why there is nothing to test, and then none is decided.
    """
    known = {(one.claim, one.run): one for one in chance}
    tested = [_beyond(one, known.get((one.claim, one.run))) for one in findings]
    if untested:
        return [
            replace(one, verdict="undecided", p=np.nan, detail=f"{untested} {one.detail}".strip())
            for one in findings
        ]
    adjusted = holm([finding.p for finding in tested])
    return [
        replace(
            finding,
            adjusted=p,
            verdict=finding.verdict if p < LEVEL else "undecided",
            detail=" ".join(filter(None, (finding.detail, _few(finding.n, len(tested), unit)))),
        )
        for finding, p in zip(tested, adjusted, strict=True)
    ]


def _beyond(finding: Finding, chance: Finding | None) -> Finding:
    """A claim with what chance gives: undecided unless it certainly goes farther.

    The interval of the difference comes from those of both (Zou & Donner 2008).
    """
    if chance is None or not np.isfinite(chance.value):
        return finding
    numbers = (chance.value, chance.low, chance.high)
    value, low, high = (show(x, precision(*numbers)) for x in numbers)
    detail = f"{finding.detail.rstrip('.')}. By chance (see Notes): {value} [{low}, {high}]."
    sign = 1 if finding.value > finding.threshold else -1
    near = finding.low if sign > 0 else finding.high
    far = chance.high if sign > 0 else chance.low
    lead = sign * (finding.value - chance.value)
    reach = float(np.hypot(finding.value - near, far - chance.value))
    p = float(2 * ndtr(-_REACH * max(lead, 0.0) / reach)) if reach > 0 else float(lead <= 0)
    told = finding.verdict if lead > reach else "undecided"
    return replace(finding, verdict=told, p=float(np.fmax(finding.p, p)), detail=detail)


def fewest_for(claims: int) -> int:
    """How many items it takes to decide one of so many claims, if all lie on the same side.

    >>> fewest_for(1), fewest_for(4), fewest_for(9)
    (6, 8, 9)
    """
    return int(np.floor(np.log2(2 * claims / LEVEL))) + 1


def _few(items: int, claims: int, unit: str) -> str:
    """What so few items can tell: nothing, where not even all on one side would be certain."""
    if not 0 < items < FEWEST:
        return ""
    needed = fewest_for(claims)
    if items < needed:
        return (
            f"(Only {counted(items, unit)}: too few to decide one of {counted(claims, 'claim')}, "
            f"whatever the numbers; it takes {needed}.)"
        )
    return f"(Only {counted(items, unit)}: take it as a hint.)"


def most(
    claim: str,
    measured: str,
    means: dict[str, Aggregate],
    named: Sequence[str],
    sign: int,
    detail: str,
) -> Finding | None:
    """The claim that the means of some are the largest (sign −1: the smallest) of all.

    Each of the named is compared with each of the others; the comparison that looks worst for the
    claim decides. None where not all of the named are there, or nothing else.
    """
    names = [name for name, mean in means.items() if np.isfinite(mean.value)]
    inside = [names.index(name) for name in named if name in names]
    outside = [i for i in range(len(names)) if i not in inside]
    if len(inside) < len(named) or not outside:
        return None
    values = np.array([means[name].value for name in names])
    drawn = np.stack([means[name].drawn for name in names], axis=1)
    items = min(means[name].n for name in names)
    lead = leads(values, drawn, inside, outside, items, sign)
    first = np.argsort(-sign * values)[:3]
    digits = precision(*values[first])
    ranking = ", ".join(f"{names[i]} ({show(sign * values[i], digits)})" for i in first)
    worst = f"{names[lead.named]} against {names[lead.rival]} decides"
    return Finding(
        claim,
        f"lead in {measured} over the hardest rival",
        lead.value,
        lead.low,
        lead.high,
        verdict(lead.low, lead.high),
        f"{detail}: {ranking}; {worst}, of {lead.comparisons} comparisons",
        p=lead.p,
        n=items,
    )
