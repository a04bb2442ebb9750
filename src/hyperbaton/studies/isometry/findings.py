"""The paper's findings, put to the test, and the report that they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.wording import decimal
from hyperbaton.report.contents import Contents, Finding
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.isometry.figures import figures
from hyperbaton.studies.isometry.headlines import headlines
from hyperbaton.studies.isometry.tables import correlate, explorer, tables
from hyperbaton.studies.isometry.words import GLOSSARY
from hyperbaton.studies.judged_pairs import (
    Judged,
    claimed,
    claims_said,
    lost_pairs,
    rated,
    share_of,
)
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.studies.layer.claims import CORRECTED, decided, estimated, finding, verdict, weakly
from hyperbaton.studies.layer.correlations import row_correlation
from hyperbaton.studies.layer.ranking import rank_samples
from hyperbaton.studies.relation import neighbours, told, untested
from hyperbaton.studies.votes import OUTCOMES

__all__ = ["report"]

_CLAIMS = (
    ("[1,1]", True, "is isometric more often", ".692 against .548"),
    ("[1,0]", False, "breaks equivalence less often", ".024 against .131"),
)
_CAUTIONS = (
    "What is measured is what the detectors think; a weak detector makes a weak study. The "
    "paper's three had a macro-F1 of .90 to .91 on German and .94 to .96 on English PAWS-X.",
    CORRECTED,
    "By chance (of a correlation): the similarities of each pair with the labels of another pair.",
)


def report(
    title: str, judged: Sequence[Judged], bootstrap: Bootstrap, command: str = ""
) -> Contents:
    """The report on judged pairs, wherever they come from."""
    return Contents(
        title=title,
        summary=claims_said("The paper's findings, put to the test on these pairs.", judged),
        findings=findings(judged, bootstrap),
        tables=tables(judged, bootstrap),
        figures=figures(judged),
        explorer=explorer(judged),
        signatures=[bootstrap.signature],
        command=command,
        notes=_CAUTIONS,
        cautions=[*lost_pairs(judged), *told({r.name: r.silent for r in judged if r.silent})],
        headlines=headlines(judged, bootstrap),
        contests=rank_samples([run.samples for run in judged if not run.silent], rated(bootstrap)),
        glossary=GLOSSARY,
    )


def findings(runs: Sequence[Judged], bootstrap: Bootstrap) -> list[Finding]:
    """All claims, for every data set; the paper's first system is the better one."""
    asked = claimed(runs)
    related = [run for run in asked if not run.silent] or asked
    found: list[Finding] = []
    for one, two in combinations(related, 2):
        if one.dataset == two.dataset and one.detectors == two.detectors:
            found += _between(one, two, bootstrap)
    chance: list[Finding] = []
    for run in related:
        labels = run.votes.labels().astype(np.float64)
        found += _correlation(run, labels, bootstrap)
        if found[-1:] and found[-1].verdict == "holds":
            chance += _correlation(run, labels[_others(run)], bootstrap)
    reasons = {run.name: run.unrelated for run in related if run.unrelated}
    return decided(found, chance, untested([run.name for run in related], reasons))


def _others(run: Judged) -> NDArray[np.intp]:
    """For each pair on which there is a majority another one: its labels are those of chance."""
    return neighbours([run.source[place] for place in np.flatnonzero(run.votes.decided)])


def _between(one: Judged, two: Judged, bootstrap: Bootstrap) -> Iterator[Finding]:
    for outcome, above, claim, paper in _CLAIMS:
        flags = [
            dict(zip(run.items, run.votes.outcomes == OUTCOMES.index(outcome), strict=True))
            for run in (one, two)
        ]
        shared = [item for item in one.items if item in flags[1]]
        if not shared:
            continue
        first, second = (
            share_of(np.array([true[item] for item in shared], dtype=bool), bootstrap)
            for true in flags
        )
        made = finding(
            f"{one.label} {claim} than {two.label}",
            f"difference in the share of {outcome}",
            first - second,
            f"{first.value:.3f} against {second.value:.3f} of {len(shared)} "
            f"pairs. The paper says so of the better of two systems ({paper}); here the system "
            "named first stands in its place, whether it is better or not.",
            run=one.dataset,
        )
        yield replace(made, verdict=verdict(made.low, made.high, above=above))


def _correlation(run: Judged, labels: Floats, bootstrap: Bootstrap) -> Iterator[Finding]:
    strength = row_correlation(run.chrf[run.votes.decided], labels, bootstrap)
    pooled = correlate(run, "chrF̄2", "pooled", bootstrap)
    if strength is None or pooled is None or not np.isfinite(strength.found.r):
        return
    found = strength.found
    yield estimated(
        f"chrF̄2 goes weakly with S, and the right way: {run.label}",
        "r of chrF̄2 and S",
        strength.estimate,
        weakly(strength.estimate),
        f"Majority labels, ∅ removed, n = {found.n}, {found.band}, "
        f"t = {decimal(strength.t, '.2f')}, one-tailed p = {found.p:.2g}; every detector's labels "
        f"pooled: r = {decimal(pooled.found.r, '.4f')}, n = {pooled.found.n}. The interval "
        "resamples pairs. The paper: .27, weak, for both systems.",
        run.dataset,
    )
