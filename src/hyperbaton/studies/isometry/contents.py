"""The report: tables, figures, findings, single pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from hyperbaton.detectors.scoring import quality
from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Contents, Explorer, Table
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.isometry.figures import figures
from hyperbaton.studies.isometry.findings import findings
from hyperbaton.studies.isometry.judged import Judged, short_names
from hyperbaton.studies.isometry.scores import identity_rows, judged_runs
from hyperbaton.studies.isometry.study import Isometry
from hyperbaton.studies.isometry.tables import agreement, correlations, examples, frequencies
from hyperbaton.studies.isometry.vote import OUTCOMES

__all__ = ["contents", "judged_contents"]

EXPLORED = 4000
"""Pairs that can be looked at in the page; a page with more loads slowly."""


def contents(study: Isometry, runs: Sequence[Run]) -> Contents:
    """The report on runs: every system on every data set side by side."""
    judged = judged_runs(runs, study.epsilon)
    signatures = dict.fromkeys(
        signature
        for run in runs
        for group in (run.record.systems, run.record.metrics)
        for per_pair in group.values()
        for signature in per_pair.values()
    )
    command = "\n".join(dict.fromkeys(run.record.command for run in runs))
    return judged_contents(judged, tuple(signatures), command, _noise(runs))


def judged_contents(
    judged: Sequence[Judged], signatures: Sequence[str], command: str, notes: Sequence[str] = ()
) -> Contents:
    """The report on judged pairs, wherever they come from."""
    bootstrap = Bootstrap(method="percentile")
    return Contents(
        title="Isometry: do paraphrases stay paraphrases when they are translated?",
        summary=_summary(judged),
        findings=findings(judged, bootstrap),
        tables=_tables(judged, bootstrap),
        figures=figures(judged),
        explorer=_explorer(judged),
        signatures=[*signatures, bootstrap.signature],
        command=command,
        notes=[*notes, *_cautions(judged)],
    )


def _summary(judged: Sequence[Judged]) -> str:
    parts = []
    for run in judged:
        counts = run.votes.counts()
        parts.append(
            f"{run.name}: {counts['[1,1]'] / len(run):.3f} isometric, "
            f"{counts['[1,0]'] / len(run):.3f} broken apart, "
            f"{counts['[0,1]'] / len(run):.3f} made equal, of {len(run):,} pairs."
        )
    return " ".join(parts)


def _tables(judged: Sequence[Judged], bootstrap: Bootstrap) -> list[Table]:
    tables = []
    known = _detector_quality(judged)
    if known.height:
        note = "Measured on the sources of this very data, whose labels are known."
        tables.append(Table("T1", "Detectors against the true labels", known, note))
    note = "Shares with 95 % intervals over pairs."
    tables.append(Table("T2", "Frequency of M", frequencies(judged, bootstrap), note))
    tables.append(Table("F5", "Kinds of agreement", agreement(judged)))
    note = (
        "majority: the majority's labels, ∅ removed, both sides pooled (the paper's text). "
        "pooled: every detector's own labels, nothing removed (the paper's printed table). "
        "p is one-tailed and takes observations for independent, which they are not; the interval "
        "resamples whole pairs."
    )
    strengths = correlations(judged, bootstrap)
    tables.append(Table("T3", "Correlation of surface similarity with S", strengths, note))
    note = "For each M the pair of which the detectors are surest, then pairs drawn at random."
    tables.append(Table("T4", "Example pairs", examples(judged), note))
    return tables


def _detector_quality(judged: Sequence[Judged]) -> pl.DataFrame:
    """Macro-F1 on the source side, where the labels of the pairs are known and differ."""
    rows = []
    seen: set[tuple[str, str]] = set()
    for run in judged:
        known = np.array([label is not None for label in run.gold], dtype=bool)
        labels = np.array([label or 0 for label in run.gold])
        if not known.any() or len(set(labels[known])) < 2:
            continue
        for number, name in enumerate(short_names(run.detectors)):
            if (run.dataset, name) in seen:
                continue
            seen.add((run.dataset, name))
            found = quality(run.probabilities[known, number, 0], labels[known], run.epsilon)
            rows.append(
                {
                    "data": run.dataset,
                    "detector": name,
                    "macro-F1": found.macro_f1,
                    "accuracy": found.accuracy,
                    "pairs": found.pairs,
                    "share of paraphrases": found.positive,
                }
            )
    return pl.DataFrame(rows)


def _explorer(judged: Sequence[Judged]) -> Explorer:
    frames = []
    room = max(1, EXPLORED // max(1, len(judged)))
    for run in judged:
        data: dict[str, object] = {
            "item": run.items,
            "s1": run.source,
            "s2": run.varied,
            "f(s1)": run.output,
            "f(s2)": run.varied_output,
            "M": [OUTCOMES[i] for i in run.votes.outcomes],
            "system": [run.system] * len(run),
            "data": [run.dataset] * len(run),
            "chrF̄2 before": run.chrf[:, 0],
            "chrF̄2 after": run.chrf[:, 1],
        }
        for number, name in enumerate(short_names(run.detectors)):
            data[f"{name} before"] = run.probabilities[:, number, 0]
            data[f"{name} after"] = run.probabilities[:, number, 1]
        frames.append(pl.DataFrame(data).head(room))
    rows = pl.concat(frames, how="diagonal")
    texts = {"s1": "first", "s2": "second", "f(s1)": "translation", "f(s2)": "of the second"}
    shown = [c for c in rows.columns if c.endswith((" before", " after"))]
    filters = {"M": "M", "system": "system", "data": "data"}
    return Explorer(rows, texts, {name: name for name in shown}, filters)


def _noise(runs: Sequence[Run]) -> list[str]:
    """How often a system translates the same sentence differently the second time."""
    notes = []
    for run in runs:
        for system in run.systems:
            for pair in run.pairs_of(system):
                rows = identity_rows(run, pair, system)
                if rows.height:
                    same = int((rows["output"] == rows["varied_output"]).sum()) / rows.height
                    notes.append(
                        f"{system}, {run.folder.name}: {same:.1%} of the first sentences came out "
                        "the same when they were translated again."
                    )
    return notes


def _cautions(judged: Sequence[Judged]) -> list[str]:
    return [
        "What is measured is what the detectors think; a weak detector makes a weak study. The "
        "paper's three had a macro-F1 of .90 to .91 on German and .94 to .96 on English PAWS-X.",
        "Several claims are tested on the same data; a single interval that just misses 0 is weak "
        "evidence.",
    ]
