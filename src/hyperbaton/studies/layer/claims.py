"""Claims put to the test: those of the register, with numbers, and verdicts that count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from hyperbaton.base.wording import amount, counted
from hyperbaton.report.contents import Contents, Finding, Verdict
from hyperbaton.stats import holm
from hyperbaton.stats.distributions import ndtr
from hyperbaton.studies.layer.aggregate import FEWEST
from hyperbaton.studies.layer.evidence import Evidence, Test, known, weighed
from hyperbaton.studies.layer.evidence import finding as finding
from hyperbaton.studies.layer.register import Claim, claims, papers

LEVEL = 0.05
_REACH = 1.96
CHANCE = (
    "By chance: the same number of the same answers, each given to another sentence of about the "
    "same length. A claim stands where it goes certainly beyond that too."
)
CORRECTED = (
    "A verdict stands where its p-value, corrected after Holm for the number of claims asked, is "
    "below .05. The parts of a claim (systems, languages) are corrected for their own "
    "number, intervals are not."
)
_FEW_PARTS = 4
"""Numbers of a claim that are shown as its parts; more are named in its detail."""
T = TypeVar("T")


def asked(
    study: str,
    tests: Mapping[str, Test[T]],
    whole: T,
    systems: Mapping[str, T] = MappingProxyType({}),
    run: str = "",
) -> list[Finding]:
    """Every claim of the register about a study, put to a run, and to each of several systems."""
    found = []
    for claim in claims(study).values():
        test = tests.get(claim.id)
        tested = test(whole) if test else f"needs {claim.needs}".removeprefix("needs nothing: ")
        found.append(_asked(claim, tested, run))
        if test is None or isinstance(tested, str):
            continue
        few = len(tested.numbers) if len(tested.numbers) <= _FEW_PARTS else 0
        single = {**(tested.numbers if few > 1 else {}), **tested.parts}
        parts = {name: test(some) for name, some in systems.items() if len(systems) > 1}
        for label, number in single.items():
            parts[label] = tested._replace(numbers={"": number}, detail="")
        for label, part in parts.items():
            one = _asked(claim, part, run)
            if one.verdict != "not asked":
                name = f"{claim.name}: {label}"
                found.append(replace(one, claim=name, part_of=claim.statement))
    return found


def _asked(claim: Claim, tested: Evidence | str, run: str) -> Finding:
    if not isinstance(tested, str) and any(known(one) for one in tested.numbers.values()):
        said = tested.detail.rstrip(".")
        paper = f"The paper: {claim.published}" if claim.published else ""
        tested = tested._replace(detail=" ".join(f"{one}." for one in (said, paper) if one))
        return weighed(claim.statement, tested, run, claim.id)
    reason = tested if isinstance(tested, str) else f"needs {claim.needs}"
    nan = float("nan")
    none: Verdict = "not asked"
    return Finding(
        claim.statement, "", nan, nan, nan, none, reason, run=run, id=claim.id, uncorrected=none
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
    known = {(one.id, one.claim, one.run): one for one in chance}
    tested = [_beyond(one, known.get((one.id, one.claim, one.run))) for one in findings]
    if untested:
        return [
            one if one.verdict == "not asked"
            else replace(
                one, verdict="undecided", uncorrected="undecided", p=np.nan,
                detail=f"{untested} {one.detail}".strip(),
            )
            for one in findings
        ]  # fmt: skip
    family = Counter(one.part_of for one in tested if one.verdict != "not asked")
    told = [
        replace(one, detail=" ".join(filter(None, (one.detail, _few(one, family, unit)))))
        for one in tested
    ]
    return corrected(told)


def corrected(findings: Sequence[Finding]) -> list[Finding]:
    """Verdicts after Holm: of the claims for their number, of the parts of each for theirs."""
    found = list(findings)
    families: dict[str, list[int]] = {}
    for place, one in enumerate(found):
        families.setdefault(one.part_of, []).append(place)
    for places in families.values():
        adjusted = holm([found[i].p for i in places])
        for i, p in zip(places, adjusted, strict=True):
            one = found[i]
            told = one.uncorrected if p < LEVEL or one.verdict == "not asked" else "undecided"
            found[i] = replace(one, adjusted=p, verdict=told)
    return found


def _beyond(finding: Finding, chance: Finding | None) -> Finding:
    """A claim with what chance gives: undecided unless it certainly goes farther.

    The interval of the difference comes from those of both (Zou & Donner 2008). Chance that gives
    the same number however it is drawn, such as a BLEU of 0, has no interval: it is that number.
    """
    if chance is None or not np.isfinite(chance.value) or finding.verdict == "not asked":
        return finding
    numbers = (chance.value, chance.low, chance.high)
    value, ends = amount(*numbers)
    by_chance = value if np.isnan(chance.low) else f"{value} {ends}"
    detail = f"{finding.detail.rstrip('.')}. By chance (see Notes): {by_chance}."
    sign = 1 if finding.value > finding.threshold else -1
    near = finding.low if sign > 0 else finding.high
    far = chance.high if sign > 0 else chance.low
    far = far if np.isfinite(far) else chance.value
    lead = sign * (finding.value - chance.value)
    reach = float(np.hypot(finding.value - near, far - chance.value))
    p = float(2 * ndtr(-_REACH * max(lead, 0.0) / reach)) if reach > 0 else float(lead <= 0)
    told = finding.uncorrected if lead > reach else "undecided"
    p = float(np.fmax(finding.p, p))
    return replace(finding, verdict=told, uncorrected=told, p=p, detail=detail.removeprefix(". "))


def fewest_for(claims: int) -> int:
    """How many items it takes to decide one of so many claims, if all lie on the same side.

    >>> fewest_for(1), fewest_for(4), fewest_for(9)
    (6, 8, 9)
    """
    return int(np.floor(np.log2(2 * claims / LEVEL))) + 1


def _few(one: Finding, family: Mapping[str, int], unit: str) -> str:
    """What so few items can tell: nothing, where not even all on one side would be certain."""
    items, number = one.n, max(1, family[one.part_of])
    if not 0 < items < FEWEST:
        return ""
    needed = fewest_for(number)
    if items < needed:
        return (
            f"(Only {counted(items, unit)}: too few to decide one of "
            f"{counted(number, 'part' if one.part_of else 'claim')}, whatever the numbers; it "
            f"takes {needed}.)"
        )
    return f"(Only {counted(items, unit)}: take it as a hint.)"


def tally(study: str, findings: Sequence[Finding]) -> str:
    """How many of a paper's claims were asked, and how many of them hold."""
    paper = papers().get(study)
    if paper is None:
        return ""
    verdicts: dict[str, set[Verdict]] = {}
    for one in findings:
        if not one.part_of and not claims(study)[one.id].shown:
            verdicts.setdefault(one.id, set()).add(one.verdict)
    told: Counter[str] = Counter(
        next(iter(kinds)) if len(kinds) == 1 else "undecided" for kinds in verdicts.values()
    )
    number = sum(told.values()) - told["not asked"]
    if not any(np.isfinite(one.adjusted) for one in findings):
        return ""
    family = paper.authors[0].rpartition(" ")[2]
    who = f"{family} et al." if len(paper.authors) > 1 else family
    verbs = {"holds": "hold", "does not hold": "do not hold", "undecided": "are undecided"}
    said = (
        f"{n} {('is undecided' if one == 'undecided' else one) if n == 1 else verb}"
        for one, verb in verbs.items()
        if (n := told[one])
    )
    of = f"Of {counted(len(verdicts), 'claim')} of {who} ({paper.year}) {number} could be asked"
    return f"{of}: {', '.join(said)}."


def with_claims(study: str, contents: Contents, ids: Sequence[str] = ()) -> Contents:
    """A report with the claims that were asked for, or all, and how many of them hold."""
    found = [one for one in contents.findings if not one.id or one.id in (ids or [one.id])]
    found = corrected(found) if ids else found
    said = " ".join(filter(None, (contents.summary, tally(study, found))))
    return replace(contents, findings=found, summary=said)
