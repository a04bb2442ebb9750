"""The claims of the wordorder paper, each put to the test with a statistic and an interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hyperbaton.languages import name as language_name
from hyperbaton.pipeline import Pair
from hyperbaton.report.contents import Finding, Verdict
from hyperbaton.stats.rank import rank_correlations
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.wordorder_cells import Aggregate, aggregate, mean_of_known
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
_MOST = 20_000
"""Items that a correlation is resampled over; of more, an even choice is taken."""


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
    floor = max((cells.noise[s, p] for s, p in cells.noise if s in systems), default=0.0)
    overall = _negative(cells.mean("difference", cells.where(systems=systems)))
    noise = "below" if abs(overall.value) < floor else "above"
    yield _finding(
        "Translators repair a perturbed source rather than carry its order over: β1 > β2",
        f"mean {_ROBUSTNESS}",
        overall,
        f"{noise} the systems' own noise, which is at most {floor:.4f}",
    )
    for system in systems if len(systems) > 1 else ():
        found = _negative(cells.mean("difference", cells.where(system)))
        yield _finding(f"β1 > β2 for {system}", f"mean {_ROBUSTNESS}", found)
    for pair in summary.pairs if len(summary.pairs) > 1 else ():
        found = _negative(cells.mean("difference", cells.where(pair=pair, systems=systems)))
        target = Pair.parse(pair).target
        yield _finding(f"β1 > β2 into {language_name(target)}", f"mean {_ROBUSTNESS}", found)


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
        yield _finding(
            f"Perturbations of parts of speech are repaired more than {words}",
            f"mean {_ROBUSTNESS}, difference",
            found,
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
    ranking = [names[i] for i in np.argsort(values)]
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
        lead = _lead(inside, outside, sign)
        order = ranking if sign < 0 else ranking[::-1]
        yield _finding(
            claim,
            "lead in β2 − β1 over the next perturbation",
            aggregate(values, drawn, lead),
            f"here the order begins with {', '.join(order[:3])}",
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
    quality1 = _correlation(profiles, "beta1", "beta")
    quality2 = _correlation(profiles, "beta2", "beta")
    drawn = quality1.drawn - quality2.drawn
    low, high = _tails(drawn)
    yield _finding(
        "Robustness goes with quality more than faithfulness does: ρ(β1, β) > ρ(β2, β)",
        "ρ(β1, β) − ρ(β2, β)",
        Aggregate(quality1.value - quality2.value, low, high, drawn),
        f"ρ(β1, β) = {quality1.value:.2f}, ρ(β2, β) = {quality2.value:.2f}",
    )
    falls = _negative(_correlation(profiles, "beta1", "length"))
    yield _finding("β1 falls with the length of the source", "−ρ(β1, length)", falls)
    rises = _correlation(profiles, "beta2", "length")
    yield _finding("β2 rises with the length of the source", "ρ(β2, length)", rises)


def _correlation(profiles: Sequence[Profile], first: str, second: str) -> Aggregate:
    """Spearman's ρ over items, averaged over systems and languages, with its resamples."""
    values, drawn = [], []
    for profile in profiles:
        a, b = getattr(profile, first), getattr(profile, second)
        # The same items for every ρ of a profile, so that differences are paired.
        known = np.flatnonzero(np.isfinite(profile.beta + profile.beta1 + profile.beta2))
        known = known[:: max(1, -(-len(known) // _MOST))]
        if len(known) < 4:
            continue
        ones = np.ones((1, len(known)))
        values.append(rank_correlations(ones, a[known], b[known])[0])
        drawn.append(
            np.concatenate(
                [
                    rank_correlations(counts, a[known], b[known])
                    for counts in count_vectors(len(known), 1000, 12345)
                ]
            )
        )
    if not values:
        return Aggregate(np.nan, np.nan, np.nan, np.full(1, np.nan))
    all_drawn = mean_of_known(np.stack(drawn, axis=1))
    low, high = _tails(all_drawn)
    return Aggregate(float(mean_of_known(np.array([values]))[0]), low, high, all_drawn)


def _tails(drawn: Floats) -> tuple[float, float]:
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return np.nan, np.nan
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)


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
    yield _finding(
        "α is high for half shuffles, verbAtBeginning and noun-verb swaps, "
        "low for mirrored trees and full shuffles",
        "mean α, difference of the two groups",
        aggregate(values, drawn, gap),
        f"lowest of the high ones: {names[least]} {values[least]:.2f}; "
        f"highest of the low ones: {names[most]} {values[most]:.2f}",
    )
