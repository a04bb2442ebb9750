"""The report of the structure study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.pipeline.cell_parts import cell_frames
from hyperbaton.pipeline.varying import MEASURES
from hyperbaton.report.contents import Contents, Explorer
from hyperbaton.studies.provenance import commands, signatures
from hyperbaton.studies.structure.figures import figures
from hyperbaton.studies.structure.findings import findings, notes, said
from hyperbaton.studies.structure.found import read_series, short
from hyperbaton.studies.structure.tables import tables

__all__ = ["contents"]

_MOST = 20_000
"""Sentences in the page at most."""


def contents(title: str, runs: Sequence[Run]) -> Contents:
    """Findings, tables, figures and single sentences."""
    series = read_series(runs)
    return Contents(
        title=title,
        summary=said(series),
        findings=findings(series),
        tables=tables(series),
        figures=figures(series),
        explorer=_explorer(runs),
        signatures=signatures(runs, series[0].bootstrap),
        command=commands(runs),
        notes=notes(series),
    )


def _explorer(runs: Sequence[Run]) -> Explorer | None:
    cells = (
        (run, name, pair) for run in runs for name in run.systems for pair in run.pairs_of(name)
    )
    rows = [row for cell in cells for row in _sentences(*cell)]
    shown = rows[:: max(1, -(-len(rows) // _MOST))]
    if not shown:
        return None
    return Explorer(
        rows=pl.DataFrame(shown, infer_schema_length=None),
        texts={"source": "text", "varied": "perturbed text", "output": "answer"},
        scores={"score": "score", **{name: name for name in MEASURES}},
        filters={"pair": "languages", "variant": "perturbation", "system": "encoder"},
        languages={"source": "language", "varied": "language", "output": "known"},
        note=f"{len(shown):,} samples: the first examples of each language, with the first seed.",
    )


def _sentences(run: Run, system: str, pair: Pair) -> Iterator[dict[str, object]]:
    """The texts that the first part of a system and a language keeps."""
    rows = next(cell_frames(run, system, pair)).to_dicts()
    clean: list[str] = next((row["shown"] for row in rows if row["variant"] == IDENTITY), [])
    for row in rows:
        if row["variant"] == IDENTITY:
            continue
        texts = zip(clean, row["shown"], row["answers"], row["scores"], strict=False)
        for source, varied, output, score in texts:
            yield {
                "pair": str(pair),
                "language": pair.source,
                "known": pair.target,
                "variant": short(row["variant"]),
                "system": system,
                "source": source,
                "varied": varied,
                "output": output,
                "score": round(score, 4),
                **{name: round(row[name], 3) for name in MEASURES},
            }
