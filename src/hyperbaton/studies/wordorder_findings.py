"""The claims of the wordorder paper, each put to the test with a statistic and an interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hyperbaton.languages import name as language_name
from hyperbaton.pipeline import Pair
from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.report.numbers import precision, show
from hyperbaton.studies.wordorder_cells import Aggregate, aggregate, mean_of_known
from hyperbaton.studies.wordorder_correlation import correlation, tails
from hyperbaton.studies.wordorder_summary import Profile, Summary

__all__ = ["findings", "verdict"]

Floats = NDArray[np.float64]

HIGH_ALPHA = (
    "shuffleHalvesLast",
    "shuffleHalvesFirst",
    "verbAtBeginning",
    "nounVerbSwap",
    "nounVerbMismatched",
)
LOW_ALPHA = ("treeMirrorPost", "treeMirrorIn", "treeMirrorPre", "wordShuffle", "reversed")
_ROBUSTNESS = "β1 − β2"


def findings(summary: Summary) -> list[Finding]:
    """Every claim that the perturbations, languages and systems of the run can decide."""
    claims = (_robust, _categories, _extremes, _correlations, _difficulty)
    found = [finding for claim in claims for finding in claim(summary)]
    return [finding for finding in found if np.isfinite(finding.value)]


def verdict(low: float, high: float, threshold: float = 0.0) -> Verdict:
    """Whether the interval lies above the threshold, below it, or on both sides.

    >>> verdict(0.1, 0.2), verdict(-0.2, -0.1), verdict(-0.1, 0.1)
    ('holds', 'does not hold', 'undecided')
    """
    if low > threshold:
        return "holds"
    return "does not hold" if high < threshold else "undecided"


def _finding(claim: str, statistic: str, found: Aggregate, detail: str = "") -> Finding:
    decided = verdict(found.low, found.high)
    return Finding(claim, statistic, found.value, found.low, found.high, decided, detail)


def _negative(found: Aggregate) -> Aggregate:
    return Aggregate(-found.value, -found.high, -found.low, -found.drawn)


def _robust(summary: Summary) -> Iterator[Finding]:
    cells, systems = summary.lead, summary.systems
    everything = cells.where(systems=systems)
    overall = _negative(cells.mean("difference", everything))
    yield _finding(
        "Translators repair a perturbed source rather than carry its order over: β1 > β2",
        f"mean {_ROBUSTNESS}",
        overall,
        f"{_both(summary, everything)}; {_noise(summary, overall.value)}",
    )
    for system in systems if len(systems) > 1 else ():
        yield _of(summary, f"β1 > β2 for {system}", cells.where(system))
    for pair in summary.pairs if len(summary.pairs) > 1 else ():
        target = language_name(Pair.parse(pair).target)
        where = cells.where(pair=pair, systems=systems)
        yield _of(summary, f"β1 > β2 into {target}", where)


def _of(summary: Summary, claim: str, where: Sequence[int]) -> Finding:
    found = _negative(summary.lead.mean("difference", where))
    return _finding(claim, f"mean {_ROBUSTNESS}", found, _both(summary, where))


def _both(summary: Summary, where: Sequence[int]) -> str:
    beta1, beta2 = (summary.lead.mean(score, where).value for score in ("beta1", "beta2"))
    return f"{summary.leading}: mean β1 {show(beta1)}, mean β2 {show(beta2)}"


def _noise(summary: Summary, value: float) -> str:
    """The systems' own noise beside a difference: larger, smaller, or none at all."""
    noise = summary.lead.noise
    floor = max((noise[key] for key in noise if key[0] in summary.systems), default=0.0)
    if not floor:
        return "the same source is translated in the same way each time, so there is no noise"
    size = "more" if floor > abs(value) else "less"
    apart = f"scores of two translations of the same source lie {floor:.2g} apart"
    return f"noise: {apart}, {size} than this difference"


def _categories(summary: Summary) -> Iterator[Finding]:
    cells, systems = summary.lead, summary.systems
    swaps = cells.where(systems=systems, variants=summary.of_category("PoS"))
    for category, words in (("tree", "tree-based ones"), ("random", "random ones")):
        others = cells.where(systems=systems, variants=summary.of_category(category))
        if not (swaps and others):
            continue
        cut = len(swaps)

        def gap(rows: Floats, cut: int = cut) -> Floats:
            return mean_of_known(rows[:, cut:]) - mean_of_known(rows[:, :cut])

        found = aggregate(*cells.values("difference", [*swaps, *others]), gap)
        mine, theirs = (-cells.mean("difference", where).value for where in (swaps, others))
        yield _finding(
            f"Perturbations of parts of speech are repaired more than {words}",
            f"{_ROBUSTNESS} of the one minus that of the other",
            found,
            f"mean {_ROBUSTNESS}: {show(mine)} for parts of speech, {show(theirs)} for {words}",
        )


def _by_variant(summary: Summary, score: str) -> tuple[list[str], Floats, Floats]:
    """The mean of a score for each perturbation, over all systems and languages."""
    cells = summary.lead
    names, values, drawn = [], [], []
    for name in summary.names:
        found = cells.mean(score, cells.where(systems=summary.systems, variants=[name]))
        if np.isfinite(found.value):
            names.append(name)
            values.append(found.value)
            drawn.append(found.drawn)
    return names, np.array(values), np.stack(drawn, axis=1) if drawn else np.empty((0, 0))


def _extremes(summary: Summary) -> Iterator[Finding]:
    names, values, drawn = _by_variant(summary, "difference")
    claims: list[tuple[str, Sequence[str], int]] = [
        ("functionalShuffle is the perturbation that is repaired most", ["functionalShuffle"], -1),
        (
            "treeMirrorIn and reversed are the perturbations that are carried over most",
            ["treeMirrorIn", "reversed"],
            1,
        ),
    ]
    for claim, named, sign in claims:
        inside = [i for i, name in enumerate(names) if name in named]
        outside = [i for i in range(len(names)) if i not in inside]
        if len(inside) < len(named) or not outside:
            continue
        measured, done = ("β2 − β1", "carried over") if sign > 0 else (_ROBUSTNESS, "repaired")
        first = np.argsort(-sign * values)[:3]
        digits = precision(*values[first])
        ranking = ", ".join(f"{names[i]} ({show(sign * values[i], digits)})" for i in first)
        yield _finding(
            claim,
            f"lead in {measured} over the best of the others",
            aggregate(values, drawn, _lead(inside, outside, sign)),
            f"{done} most, by mean {measured}: {ranking}",
        )


def _lead(inside: list[int], outside: list[int], sign: int) -> Callable[[Floats], Floats]:
    """How far the least of some columns is ahead of the best of the others."""

    def lead(rows: Floats) -> Floats:
        signed = sign * rows
        return np.asarray(signed[:, inside].min(axis=1) - signed[:, outside].max(axis=1))

    return lead


def _correlations(summary: Summary) -> Iterator[Finding]:
    profiles = [
        summary.profiles[s, p]
        for s in summary.systems
        for p in summary.pairs
        if (s, p) in summary.profiles
    ]
    quality1 = correlation(profiles, "beta1", "beta")
    quality2 = correlation(profiles, "beta2", "beta")
    drawn = quality1.drawn - quality2.drawn
    low, high = tails(drawn)
    yield _finding(
        "Robustness goes with quality more than faithfulness does: ρ(β1, β) > ρ(β2, β)",
        "ρ(β1, β) − ρ(β2, β)",
        Aggregate(quality1.value - quality2.value, low, high, drawn),
        f"Spearman over items{_averaged(profiles)}: ρ(β1, β) = {show(quality1.value)}, "
        f"ρ(β2, β) = {show(quality2.value)}",
    )
    falls = _negative(correlation(profiles, "beta1", "length"))
    how = f"Spearman over items{_averaged(profiles)}; length in words"
    yield _finding("β1 falls with the length of the source", "−ρ(β1, length)", falls, how)
    rises = correlation(profiles, "beta2", "length")
    yield _finding("β2 rises with the length of the source", "ρ(β2, length)", rises, how)


def _averaged(profiles: Sequence[Profile]) -> str:
    return ", averaged over systems and languages" if len(profiles) > 1 else ""


def _difficulty(summary: Summary) -> Iterator[Finding]:
    names, values, drawn = _by_variant(summary, "alpha")
    high = [i for i, name in enumerate(names) if name.split("(")[0] in HIGH_ALPHA]
    low = [i for i, name in enumerate(names) if name in LOW_ALPHA]
    if not (high and low):
        return

    def gap(rows: Floats) -> Floats:
        return mean_of_known(rows[:, high]) - mean_of_known(rows[:, low])

    least = min(high, key=lambda i: values[i])
    most = max(low, key=lambda i: values[i])
    overlap = "" if values[least] > values[most] else "; single perturbations overlap"
    yield _finding(
        "α is high for half shuffles, verbAtBeginning and noun-verb swaps, "
        "low for mirrored trees and full shuffles",
        "mean α of the former minus that of the latter",
        aggregate(values, drawn, gap),
        f"lowest of the former: {names[least]} ({show(values[least])}); highest of the latter: "
        f"{names[most]} ({show(values[most])}){overlap}",
    )
