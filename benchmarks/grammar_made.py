"""Errors made on purpose beside the real errors of the same sentences, `bundled` into German.

Run from the repository: python -m benchmarks.grammar_made RUNS/jfleg-de CLEAN
CLEAN becomes the corrected sentences that the made errors go into, one a line.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from benchmarks.grammar_runs import (
    ALONE,
    FEWEST,
    KIND,
    METRIC,
    Cell,
    cell,
    like,
    noise,
    robust,
    table,
)
from hyperbaton.pipeline import Run
from hyperbaton.report.numbers import show
from hyperbaton.studies.grammar.samples import LearnerSamples, learner_samples

FIRST = pl.col("item").str.ends_with(".0")
"""The first of several corrections."""


def made_up(real: LearnerSamples, run: Run) -> None:
    """Share, RB and f-BLEU by type of error; the shares are those of the first correction."""
    [made] = learner_samples([run])[0]
    shares = [_shares(samples) for samples in (real.where(FIRST), made)]
    singles = [samples.where(ALONE) for samples in (real, made)]
    rows: list[list[Cell]] = []
    for kind in sorted({*shares[0], *shares[1]}, key=lambda k: -shares[0].get(k, 0)):
        some = [samples.where(KIND.eq(kind)) for samples in singles]
        row: list[Cell] = [kind, *(show(share.get(kind, 0.0), 1) for share in shares)]
        row += [len(samples) for samples in some]
        for of in (robust, like(METRIC)):
            row += [cell(of([samples])) if len(samples) >= FEWEST else "–" for samples in some]
        rows.append(row)
    for name, chosen in (
        ("one error", ALONE),
        ("two", pl.col("errors") == 2),
        ("all", pl.lit(True)),
    ):
        some = [samples.where(chosen) for samples in (real, made)]
        numbers = [cell(of([samples])) for of in (robust, like(METRIC)) for samples in some]
        rows.append([name, "", "", *map(len, some), *numbers])
        print(name, "NR real and made:", *(cell(noise([samples]), 2) for samples in some))
    kinds = ("share", "single", "RB", "f-BLEU")
    heads = [f"{kind} {which}" for kind in kinds for which in ("real", "made")]
    table("Errors made on purpose", ("type", *heads), rows)


def _shares(samples: LearnerSamples) -> dict[str, float]:
    """Percent of all errors that are of each type."""
    kept = pl.col("item").is_in(samples.frame["item"].to_list()) & (pl.col("errors") > 0)
    read = samples.source.run.table(samples.source.pair, columns=("item", "errors", "types"))
    types = read.filter(kept)["types"].explode()
    print(f"{samples}: {len(types)} errors in {len(samples)} sentences")
    counts = types.str.replace(r"^[MRU]:", "").value_counts()
    return {kind: 100 * n / len(types) for kind, n in counts.iter_rows()}


def write_clean(run: Run, path: Path) -> None:
    """The first correction of every sentence with errors."""
    [samples, *_] = learner_samples([run])[0]
    path.write_text("\n".join(samples.frame.filter(FIRST)["source"]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_clean(Run(Path(sys.argv[1])), Path(sys.argv[2]))
