"""The report: headlines, cautions, and the paper's findings tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
from scipy.special import ndtr

from hyperbaton.base.wording import counted, decimal
from hyperbaton.report.contents import Contents, Finding, Headline, Verdict
from hyperbaton.studies.isometry.figures import figures
from hyperbaton.studies.isometry.samples import MEASURES, OUTCOMES, SHORT, PairSamples
from hyperbaton.studies.isometry.tables import (
    GLOSSARY,
    explorer,
    label_correlation,
    strength,
    tables,
)
from hyperbaton.studies.layer.aggregate import Aggregate, Floats
from hyperbaton.studies.layer.answers import left_out, neighbours, untested
from hyperbaton.studies.layer.claims import CORRECTED, decided, finding, verdict
from hyperbaton.studies.layer.ranking import rank_samples
from hyperbaton.studies.layer.sources import systems_of_claims, with_claimed
from hyperbaton.systems.faults import EMPTY

Systems = Sequence[PairSamples]
_CLAIMS = (
    ("[1,1]", True, "is isometric more often", ".692 against .548"),
    ("[1,0]", False, "breaks equivalence less often", ".024 against .131"),
)
_NOTES = (
    "What is measured is what the detectors think; a weak detector makes a weak study. The "
    "paper's three had a macro-F1 of .90 to .91 on German and .94 to .96 on English PAWS-X.",
    CORRECTED,
    "By chance (of a correlation): the similarities of each pair with the labels of another pair.",
)


def report(title: str, systems: Systems, command: str = "") -> Contents:
    """The report on judged pairs, wherever they come from."""
    tested = "The paper's findings, tested on these pairs."
    failed = [
        f"{s.name} failed on {s.failed:,} of {counted(len(s) + s.failed, 'pair')}: {EMPTY}. "
        "No number includes them."
        for s in systems
        if s.failed
    ]
    return Contents(
        title=title,
        summary=with_claimed(tested, (s.system for s in systems if not s.by_people)),
        findings=findings(systems),
        tables=tables(systems),
        figures=figures(systems),
        explorer=explorer(systems),
        signatures=[systems[0].bootstrap.signature],
        command=command,
        notes=_NOTES,
        cautions=[*failed, *left_out({s.name: s.silent for s in systems if s.silent})],
        headlines=headlines(systems),
        contests=rank_samples([s for s in systems if not s.silent], MEASURES),
        glossary=GLOSSARY,
    )


def findings(systems: Systems) -> list[Finding]:
    """All claims, for every data set; the paper's first system is the better one.

    They are tested on the systems of claims, and on what people translated.
    """
    claimed = systems_of_claims(s.system for s in systems if not s.by_people)
    asked = [s for s in systems if s.by_people or s.system in claimed]
    related = [s for s in asked if not s.silent] or asked
    found: list[Finding] = []
    for one, two in combinations(related, 2):
        if one.dataset == two.dataset and one.detectors == two.detectors:
            found += _between(one, two)
    chance: list[Finding] = []
    for samples in related:
        labels = samples.votes.labels().astype(np.float64)
        found += _correlation(samples, labels)
        if found[-1:] and found[-1].verdict == "holds":
            # The labels of another pair on which there is a majority are those of chance.
            sources = samples.frame["source"].filter(samples.votes.decided)
            chance += _correlation(samples, labels[neighbours(sources.to_list())])
    reasons = {s.name: s.unrelated for s in related if s.unrelated}
    return decided(found, chance, untested([s.name for s in related], reasons))


def _between(one: PairSamples, two: PairSamples) -> Iterator[Finding]:
    for outcome, above, claim, paper in _CLAIMS:
        flags = [
            dict(zip(s.items, s.votes.outcomes == OUTCOMES.index(outcome), strict=True))
            for s in (one, two)
        ]
        shared = one.only(two.items)
        if not len(shared):
            continue
        first, second = (shared.share(np.array([of[i] for i in shared.items])) for of in flags)
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


def _correlation(samples: PairSamples, labels: Floats) -> Iterator[Finding]:
    voted = samples.where(samples.votes.decided)
    majority = strength(voted, voted.chrf, labels)
    pooled = label_correlation(samples, "chrF̄2", "pooled")
    if majority is None or pooled is None or not np.isfinite(majority.test.r):
        return
    test, t, r = majority
    made = finding(
        f"chrF̄2 goes weakly with S, and the right way: {samples.label}",
        "r of chrF̄2 and S",
        r,
        f"Majority labels, ∅ removed, n = {test.n}, {test.band}, "
        f"t = {decimal(t, '.2f')}, one-tailed p = {test.p:.2g}; every detector's labels "
        f"pooled: r = {decimal(pooled.test.r, '.4f')}, n = {pooled.test.n}. The interval "
        "resamples pairs. The paper: .27, weak, for both systems.",
        run=samples.dataset,
    )
    told, p = _weakly(r)
    yield replace(made, verdict=told, p=p)


def _weakly(r: Aggregate) -> tuple[Verdict, float]:
    """Whether a correlation is weak (.1 to .4) and positive, with p against the bound in question.

    >>> def told(r, low, high):
    ...     error = (high - low) / 4
    ...     return _weakly(Aggregate(r, low, high, np.array([r - error, r + error]), 100))[0]
    >>> told(0.26, 0.23, 0.29), told(0.35, 0.21, 0.48), told(0.50, 0.38, 0.62)
    ('holds', 'holds', 'undecided')
    >>> told(0.50, 0.45, 0.55), told(0.05, 0.01, 0.09), told(0.2, -0.1, 0.5)
    ('does not hold', 'does not hold', 'undecided')
    """
    weakest, strongest = 0.1, 0.4
    inside = weakest <= r.value < strongest
    bound = 0.0 if inside else weakest if r.value < weakest else strongest
    error = float("nan") if np.isnan(r.low) else float(r.drawn[~np.isnan(r.drawn)].std())
    p = float(2 * ndtr(-abs(r.value - bound) / error)) if error else float("nan")
    if r.high < weakest or r.low >= strongest:
        return "does not hold", p
    return ("holds" if r.low > 0 and inside else "undecided"), p


def headlines(systems: Systems) -> list[Headline]:
    """What is to be kept in mind first, then the answer for each system."""
    return [
        *(Headline("Caution", text) for text in cautions(systems)),
        *(
            Headline(s.name, _answer(s), {SHORT[m]: s.outcome_share(m).span for m in OUTCOMES})
            for s in systems
        ),
    ]


def cautions(systems: Systems) -> list[str]:
    """Data sets on which the detectors' vote is not clearly better than always saying the same."""
    found = []
    for samples in {s.dataset: s for s in reversed(systems)}.values():
        labelled = samples.where(pl.col("label").is_not_null())
        gold = labelled.frame["label"].to_numpy()
        if len(set(gold.tolist())) < 2:
            continue
        votes = labelled.labels[:, :, 0].mean(axis=1) > 0.5
        accuracy, yes = labelled.share(votes == gold), float(gold.mean())
        always, share = ("paraphrase", yes) if yes >= 0.5 else ("no paraphrase", 1 - yes)
        if accuracy.low > share:
            continue
        clearly = "" if accuracy.value <= share else "clearly "
        found.append(
            f"Caution: these detectors are not {clearly}better than always saying “{always}”. On "
            f"the {counted(len(gold), 'pair')} of {samples.dataset} whose label is known, their "
            f"majority is right in {accuracy.value:.0%}; always saying “{always}” is right in "
            f"{share:.0%}. The shares below say what the detectors think, not what translation "
            "does. Better detectors: docs/detectors.md.".replace("%", " %")
        )
    return found


def _answer(samples: PairSamples) -> str:
    """All five outcomes of a system in a sentence."""
    if samples.silent:
        return f"{samples.name}: there is no translation to judge, since {samples.silent}."
    share = {name: count / len(samples) for name, count in samples.votes.counts().items()}
    return (
        f"{samples.name}: of {counted(len(samples), 'pair')}, {share['[1,1]']:.1%} mean the same "
        f"before and after translation (isometric), {share['[0,0]']:.1%} neither before nor after "
        f"(both different), {share['[0,1]']:.1%} only after (made equal), {share['[1,0]']:.1%} "
        f"only before (broken apart); on {share['∅']:.1%} the detectors have no majority."
    ).replace("%", " %")
