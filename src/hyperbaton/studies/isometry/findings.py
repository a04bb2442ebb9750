"""The paper's findings, put to the test, and the report that they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from hyperbaton.report.contents import Contents, Finding
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.claims import CORRECTED, decided, estimated, finding, verdict, weakly
from hyperbaton.studies.isometry.figures import figures
from hyperbaton.studies.isometry.headlines import headlines
from hyperbaton.studies.isometry.tables import correlate, explorer, tables
from hyperbaton.studies.isometry.words import GLOSSARY
from hyperbaton.studies.judged_pairs import Judged, lost_pairs, rated, share_of
from hyperbaton.studies.rivals import rankings
from hyperbaton.studies.votes import OUTCOMES
from hyperbaton.wording import decimal

__all__ = ["report"]

_CLAIMS = (
    ("[1,1]", True, "is isometric more often", ".692 against .548"),
    ("[1,0]", False, "breaks equivalence less often", ".024 against .131"),
)
_CAUTIONS = (
    "What is measured is what the detectors think; a weak detector makes a weak study. The "
    "paper's three had a macro-F1 of .90 to .91 on German and .94 to .96 on English PAWS-X.",
    CORRECTED,
)


def report(
    title: str, judged: Sequence[Judged], bootstrap: Bootstrap, command: str = ""
) -> Contents:
    """The report on judged pairs, wherever they come from."""
    return Contents(
        title=title,
        summary="The paper's findings, put to the test on these pairs.",
        findings=findings(judged, bootstrap),
        tables=tables(judged, bootstrap),
        figures=figures(judged),
        explorer=explorer(judged),
        signatures=[bootstrap.signature],
        command=command,
        notes=_CAUTIONS,
        cautions=lost_pairs(judged),
        headlines=headlines(judged, bootstrap),
        contests=rankings([run.entry for run in judged], rated(bootstrap)),
        glossary=GLOSSARY,
    )


def findings(runs: Sequence[Judged], bootstrap: Bootstrap) -> list[Finding]:
    """All claims, for every data set; the system named first is taken for the better one."""
    found: list[Finding] = []
    for one, two in combinations(runs, 2):
        if one.dataset == two.dataset and one.detectors == two.detectors:
            found += _between(one, two, bootstrap)
    for run in runs:
        found += _correlation(run, bootstrap)
    return decided(found)


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
            f"The better system {claim}: {one.label} against {two.label}",
            f"difference in the share of {outcome}",
            first - second,
            f"{first.value:.3f} against {second.value:.3f} of {len(shared)} "
            f"pairs; the paper: {paper}. The system named first is taken for the better one.",
            run=one.dataset,
        )
        yield replace(made, verdict=verdict(made.low, made.high, above=above))


def _correlation(run: Judged, bootstrap: Bootstrap) -> Iterator[Finding]:
    strength = correlate(run, "chrF̄2", "majority", bootstrap)
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
