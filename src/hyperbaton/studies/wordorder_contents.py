"""The report on the word-order study: findings, tables, figures and single sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Contents, Table
from hyperbaton.stats import spearman
from hyperbaton.studies.wordorder_explorer import explorer
from hyperbaton.studies.wordorder_figures import figures
from hyperbaton.studies.wordorder_findings import findings
from hyperbaton.studies.wordorder_summary import Profile, Summary, summarise
from hyperbaton.studies.wordorder_tables import tables

if TYPE_CHECKING:
    from hyperbaton.studies.wordorder import WordOrder

__all__ = ["contents"]


def contents(study: WordOrder, runs: Sequence[Run]) -> Contents:
    """Everything that is shown of one run, or of several side by side."""
    summary = summarise(runs, study.variants)
    found = findings(summary)
    held = sum(finding.verdict == "holds" for finding in found)
    items = sum(summary.items.values())
    pairs = len(summary.pairs)
    return Contents(
        title="Word order: robust or faithful?",
        summary=(
            f"{', '.join(summary.systems)} on {items:,} items in {pairs} language "
            f"{'pair' if pairs == 1 else 'pairs'} × {len(summary.variants)} perturbations: "
            f"{held} of {len(found)} claims of Parthasarathi et al. (2021) hold here."
        ),
        findings=found,
        tables=[*tables(summary), _correlations(summary)],
        figures=figures(summary, runs),
        explorer=explorer(summary),
        signatures=_signatures(summary, runs),
        command="; ".join(run.record.command for run in runs if run.record.command),
        notes=_notes(summary),
    )


def _notes(summary: Summary) -> list[str]:
    notes = [
        "Intervals are paired bootstraps over items (95 %); a mean over systems or languages gives "
        "each of them and each perturbation the same weight.",
        f"{len(summary.variants)} perturbations are tested at once: p-values in the table of all "
        "means are corrected after Holm; the findings are not.",
    ]
    failed = sum(summary.faults.values())
    if failed:
        notes.append(f"{failed:,} translations of perturbed sources failed and are left out.")
    return notes


def _signatures(summary: Summary, runs: Sequence[Run]) -> list[str]:
    lines: dict[str, None] = {summary.lead.bootstrap.signature: None}
    for run in runs:
        record = run.record
        lines[f"study: {record.study}"] = None
        for pair, corpus in record.corpora.items():
            lines[f"{pair}: {corpus}"] = None
        for side, parser in record.parsers.items():
            lines[f"{side}: {parser}"] = None
        for by_key in (record.systems, record.metrics):
            for signatures in by_key.values():
                lines.update(dict.fromkeys(signatures.values()))
        lines[", ".join(f"{name} {number}" for name, number in record.versions.items())] = None
    return list(lines)


def _correlations(summary: Summary) -> Table:
    rows = [
        row
        for (system, pair), profile in summary.profiles.items()
        for row in _rhos(system, pair, profile)
    ]
    schema = {"system": pl.String, "pair": pl.String, "of": pl.String, "and": pl.String}
    numbers = {"ρ": pl.Float64, "low": pl.Float64, "high": pl.Float64, "items": pl.Int64}
    return Table(
        "rho",
        "Rank correlations over items (F6, F7, F15)",
        pl.DataFrame(rows, schema={**schema, **numbers}, orient="row"),
        f"Spearman's ρ, {summary.leading}; scores of an item averaged over its perturbations, "
        "length in words of the source; low and high: 95 % interval.",
    )


def _rhos(
    system: str, pair: str, profile: Profile
) -> Iterator[tuple[str, str, str, str, float, float, float, int]]:
    names = {"length": "length", "beta": "β", "beta1": "β1", "beta2": "β2", "alpha": "α"}
    for one, other in (
        ("beta1", "length"),
        ("beta2", "length"),
        ("alpha", "length"),
        ("beta1", "beta"),
        ("beta2", "beta"),
        ("beta1", "beta2"),
        ("alpha", "beta1"),
        ("alpha", "beta2"),
    ):
        a, b = getattr(profile, one), getattr(profile, other)
        known = np.isfinite(a) & np.isfinite(b)
        if known.sum() >= 4:
            found = spearman(a[known], b[known])
            span = found.interval
            yield system, pair, names[one], names[other], found.r, span.low, span.high, found.n
