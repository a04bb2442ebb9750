"""The single sentences of runs that are kept in cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.report.contents import Explorer
from hyperbaton.studies.structure.series import short
from hyperbaton.studies.structure.varying import MEASURES

_MOST = 5_000
"""Sentences in the page at most."""


def cell_explorer(runs: Sequence[Run]) -> Explorer | None:
    """The first examples of every system and language, as far as the page holds them."""
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
    rows = next(run.grid(pair, system)).to_dicts()
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
