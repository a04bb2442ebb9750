"""The report: headlines, cautions, and the paper's findings tested."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from hyperbaton.base.wording import counted, decimal, percent_text
from hyperbaton.report.contents import Contents, Finding, Headline
from hyperbaton.studies.glossary import glossary
from hyperbaton.studies.isometry.claims import BY_CHANCE, TESTS, Asked
from hyperbaton.studies.isometry.figures import figures
from hyperbaton.studies.isometry.samples import MEASURES, OUTCOMES, SHORT, PairSamples
from hyperbaton.studies.isometry.tables import (
    detector_rows,
    explorer,
    tables,
)
from hyperbaton.studies.layer.answers import left_out, untested
from hyperbaton.studies.layer.claims import CORRECTED, asked, decided
from hyperbaton.studies.layer.ranking import rank_samples
from hyperbaton.studies.layer.sources import systems_of_claims, with_claimed
from hyperbaton.systems.faults import EMPTY

Systems = Sequence[PairSamples]
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
        opening=" ".join(cautions(systems)),
        cautions=[*failed, *left_out({s.name: s.silent for s in systems if s.silent})],
        headlines=headlines(systems),
        contests=rank_samples([s for s in systems if not s.silent], MEASURES),
        glossary=glossary("isometry"),
    )


def findings(systems: Systems) -> list[Finding]:
    """Every claim of the register, for every data set.

    They are tested on the systems of claims, and on what people translated.
    """
    claimed = systems_of_claims(s.system for s in systems if not s.by_people)
    some = [s for s in systems if s.by_people or s.system in claimed]
    related = [s for s in some if not s.silent] or some
    sets: dict[tuple[str, tuple[str, ...]], list[PairSamples]] = {}
    for samples in related:
        sets.setdefault((samples.dataset, samples.detectors), []).append(samples)
    found: list[Finding] = []
    chance: list[Finding] = []
    for (dataset, _), mine in sets.items():
        single = {one.label: Asked([one]) for one in mine}
        found += asked("isometry", TESTS, Asked(mine), single, dataset)
        exchanged = {name: one._replace(by_chance=True) for name, one in single.items()}
        tests = {name: TESTS[name] for name in BY_CHANCE}
        chance += asked("isometry", tests, Asked(mine, True), exchanged, dataset)
    reasons = {s.name: s.unrelated for s in related if s.unrelated}
    return decided(found, chance, untested([s.name for s in related], reasons))


def headlines(systems: Systems) -> list[Headline]:
    """How sure the detectors are, then the answer for each system."""
    return [
        *(Headline("Detectors", text) for text in sureness(systems)),
        *(
            Headline(s.name, _answer(s), {SHORT[m]: s.outcome_share(m).span for m in OUTCOMES})
            for s in systems
        ),
    ]


def sureness(systems: Systems) -> list[str]:
    """How good the detectors are on these pairs, for each data set; or that nobody knows."""
    found: dict[str, list[str]] = {}
    sizes = {}
    for row in detector_rows(systems):
        data, macro_f1 = str(row["data"]), float(str(row["macro-F1"]))
        found.setdefault(data, []).append(f"{row['detector']} {decimal(macro_f1, '.2f')}")
        sizes[data] = counted(int(str(row["pairs"])), "labelled pair")
    lines = [
        f"How sure are the detectors? Macro-F1 on the {sizes[data]} of {data}: {', '.join(told)}. "
        "The paper's three had .90 to .96; always giving the same answer has less than .50."
        for data, told in found.items()
    ]
    if unknown := [data for data in dict.fromkeys(s.dataset for s in systems) if data not in found]:
        lines.append(
            f"How sure are the detectors? Not known for {', '.join(unknown)}: it takes pairs that "
            "are labelled as paraphrases and as none. The shares say what the detectors think."
        )
    return lines


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
    share = {name: percent_text(*samples.outcome_share(name).span) for name in OUTCOMES}
    return (
        f"{samples.name}: of {counted(len(samples), 'pair')}, {share['[1,1]']} mean the same "
        f"before and after translation (isometric), {share['[0,0]']} neither before nor after "
        f"(both different), {share['[0,1]']} only after (made equal), {share['[1,0]']} only before "
        f"(broken apart); on {share['∅']} the detectors have no majority."
    )
