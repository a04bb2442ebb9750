"""The report on the word-order study: findings, tables, figures and single sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.report.contents import Contents, Explorer, Table
from hyperbaton.stats import spearman
from hyperbaton.studies.wordorder_figures import figures
from hyperbaton.studies.wordorder_findings import findings
from hyperbaton.studies.wordorder_summary import Profile, Summary, summarise
from hyperbaton.studies.wordorder_tables import tables

if TYPE_CHECKING:
    from hyperbaton.studies.wordorder import WordOrder

__all__ = ["contents"]

MOST_ROWS = 20_000
"""Rows of the explorer; of more, an even choice of items is shown."""
_SCORES = {"beta": "β", "beta1": "β1", "beta2": "β2", "difference": "β2 − β1", "alpha": "α"}


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
        explorer=_explorer(summary),
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
        f"Spearman's ρ, {summary.leading}; scores of an item averaged over its perturbations.",
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


def _explorer(summary: Summary) -> Explorer:
    pairs = sum(len(run.pairs_of(system)) for run, system in summary.sources.values())
    most = max(1, MOST_ROWS // pairs)
    frames = [
        _sentences(run, system, summary.leading, most).with_columns(pl.lit(label).alias("system"))
        for label, (run, system) in summary.sources.items()
    ]
    rows = pl.concat(frames)
    texts = {
        "source": "source",
        "varied": "perturbed source",
        "reference": "reference",
        "varied_reference": "perturbed reference",
        "output": "translation",
        "varied_output": "translation of the perturbed source",
    }
    return Explorer(
        rows=rows,
        texts=texts,
        scores=_SCORES,
        filters={
            "pair": "languages",
            "variant": "perturbation",
            "system": "system",
            "flip": "flip (β1 > β)",
        },
        words={
            "source": "words",
            "varied": "words",
            "reference": "reference_words",
            "varied_reference": "reference_words",
        },
        orders={"varied": "order", "varied_reference": "reference_order"},
        languages={
            name: "source_language" if name in ("source", "varied") else "target_language"
            for name in texts
        },
    )


def _sentences(run: Run, system: str, metric: str, most: int) -> pl.DataFrame:
    frames = []
    for pair in run.pairs_of(system):
        progress = run.record.progress[str(pair)]
        share = most / max(1, progress.items * 17)
        step = max(1, round(1 / share)) if share < 1 else 1
        for part in run.parts(pair, system, metric):
            items = part["item"].unique(maintain_order=True).gather_every(step)
            some = part.filter(
                pl.col("item").is_in(items.implode()) & (pl.col("variant") != IDENTITY)
            )
            frames.append(
                some.with_columns(
                    pl.col(*[name for name in _SCORES if name != "difference"]).round(4),
                    (pl.col("beta2") - pl.col("beta1")).round(4).alias("difference"),
                    (pl.col("beta1") > pl.col("beta")).alias("flip"),
                    pl.lit(str(pair)).alias("pair"),
                    pl.lit(pair.source).alias("source_language"),
                    pl.lit(pair.target).alias("target_language"),
                )
            )
    return pl.concat(frames)
