"""What decides a claim: numbers with a threshold or a band, and the one that looks worst for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from hyperbaton.base.wording import precision, show
from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.stats.distributions import ndtr
from hyperbaton.studies.layer.aggregate import Aggregate

T = TypeVar("T")
_MOST_NAMED = 16
"""Numbers of a claim that its detail names, at most."""


class Evidence(NamedTuple):
    """What decides a claim: all of its numbers lie above the threshold, or within the band."""

    statistic: str
    numbers: Mapping[str, Aggregate]
    """By what each is about; the one that looks worst for the claim is shown, and decides."""
    detail: str = ""
    threshold: float = 0.0
    band: tuple[float, float] | None = None
    parts: Mapping[str, Aggregate] = MappingProxyType({})
    """The same number for parts of the data, such as languages."""


Test = Callable[[T], Evidence | str]
"""Puts a claim to the test, or says what it would need: `needs three corpora`."""


def known(number: Aggregate) -> bool:
    return bool(np.isfinite(number.value))


def unasked(named: Sequence[str], metrics: Iterable[str]) -> str:
    """Which of the metrics that a claim names were not asked; nothing where all were.

    >>> unasked(["BERTScore", "BLEURT"], ["BLEU", "BLEURT(model=large)"])
    'BERTScore was not asked'
    >>> unasked(["BERTScore", "BLEURT"], ["BLEU"])
    'BERTScore and BLEURT were not asked'
    """
    known = {metric.partition("(")[0] for metric in metrics}
    missing = [name for name in named if name not in known]
    verb = "was" if len(missing) == 1 else "were"
    return f"{' and '.join(missing)} {verb} not asked" if missing else ""


def told(numbers: Mapping[str, Aggregate]) -> str:
    """Each number with its interval."""
    return ", ".join(
        f"{label} {value} [{low}, {high}]"
        for label, one in numbers.items()
        for value, low, high in [[show(x, precision(*one.span)) for x in one.span]]
    )


def finding(
    claim: str,
    statistic: str,
    found: Aggregate,
    detail: str = "",
    threshold: float = 0.0,
    run: str = "",
) -> Finding:
    """The claim that a number lies above a threshold, for studies without a paper."""
    return weighed(claim, Evidence(statistic, {"": found}, detail, threshold), run)


def weighed(claim: str, tested: Evidence, run: str = "", id: str = "") -> Finding:  # noqa: A002
    """A claim by the number that looks worst for it, not yet corrected for how many there are.

    All numbers have to hold, which needs no correction; that one of them fails does.
    """
    numbers = {label: one for label, one in tested.numbers.items() if known(one)}
    judged = {label: _judged(one, tested) for label, one in numbers.items()}

    def rank(label: str) -> tuple[float, ...]:
        told, p = judged[label]
        one = numbers[label]
        reach = max(one.high - one.low, 1e-12) if np.isfinite(one.low) else np.inf
        margin = (one.value - tested.threshold) / reach
        return ("does not hold", "undecided", "holds").index(told), margin, p

    worst = min(numbers, key=rank)
    told, p = judged[worst]
    if told == "does not hold":
        p = min(1.0, p * len(numbers))
    elif told == "holds":
        p = max(one for _, one in judged.values())
    of = numbers[worst]
    detail = tested.detail
    if len(numbers) > _MOST_NAMED:
        detail = f"The weakest of {len(numbers)} decides: {worst}. {detail}".strip()
    elif len(numbers) > 1:
        values = [show(one.value, precision(one.value)) for one in numbers.values()]
        all_ = ", ".join(f"{label} {v}" for label, v in zip(numbers, values, strict=True))
        detail = f"The weakest of {len(numbers)} decides: {worst}. All: {all_}. {detail}".strip()
    span = of.value, of.low, of.high
    return Finding(
        claim, tested.statistic, *span, told, detail, tested.threshold, run, p, n=of.n, id=id,
        uncorrected=told,
    )  # fmt: skip


def _judged(number: Aggregate, tested: Evidence) -> tuple[Verdict, float]:
    if tested.band is not None:
        return in_band(number, *tested.band)
    told = verdict(number.low, number.high, tested.threshold)
    return told, number.p_against(tested.threshold)


def verdict(low: float, high: float, threshold: float = 0.0) -> Verdict:
    """Whether an interval lies above the threshold, as is claimed, beneath it, or on both sides.

    >>> verdict(0.1, 0.2), verdict(-0.2, -0.1), verdict(-0.1, 0.1)
    ('holds', 'does not hold', 'undecided')
    """
    return "holds" if low > threshold else "does not hold" if high < threshold else "undecided"


def in_band(r: Aggregate, weakest: float, strongest: float) -> tuple[Verdict, float]:
    """Whether a correlation is positive and in a band, with p against the bound in question.

    >>> def told(r, low, high):
    ...     error = (high - low) / 4
    ...     made = Aggregate(r, low, high, np.array([r - error, r + error]), 100)
    ...     return in_band(made, 0.1, 0.4)[0]
    >>> told(0.26, 0.23, 0.29), told(0.35, 0.21, 0.48), told(0.50, 0.38, 0.62)
    ('holds', 'holds', 'undecided')
    >>> told(0.50, 0.45, 0.55), told(0.05, 0.01, 0.09), told(0.2, -0.1, 0.5)
    ('does not hold', 'does not hold', 'undecided')
    """
    inside = weakest <= r.value < strongest
    bound = 0.0 if inside else weakest if r.value < weakest else strongest
    error = float("nan") if np.isnan(r.low) else float(r.drawn[~np.isnan(r.drawn)].std())
    p = float(2 * ndtr(-abs(r.value - bound) / error)) if error else float("nan")
    if r.high < weakest or r.low >= strongest:
        return "does not hold", p
    return ("holds" if r.low > 0 and inside else "undecided"), p


def most(measured: str, means: Mapping[str, Aggregate], named: Sequence[str]) -> Evidence | str:
    """That the means of some are the largest of all.

    Each of the named is compared with each of the others, since the lead over the best of many is
    biased when it is resampled.
    """
    there = {name: mean for name, mean in means.items() if known(mean)}
    missing = [name for name in named if name not in there]
    others = [name for name in there if name not in named]
    if missing or not others:
        return f"needs {' and '.join(missing) or 'others to compare with'}"
    leads = {f"{a} against {b}": there[a] - there[b] for a in named for b in others}
    first = sorted(there, key=lambda name: -there[name].value)[:3]
    digits = precision(*(there[name].value for name in first))
    ranking = ", ".join(f"{name} ({show(there[name].value, digits)})" for name in first)
    statistic = f"lead in {measured} over the hardest rival"
    return Evidence(statistic, leads, f"By mean {measured}: {ranking}")
