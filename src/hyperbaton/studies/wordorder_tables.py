"""The tables of the wordorder paper, and one with every mean, its interval and its test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Table
from hyperbaton.stats import holm
from hyperbaton.studies.wordorder_cells import Aggregate
from hyperbaton.studies.wordorder_summary import Summary

__all__ = ["tables"]

_EXAMPLES = 30


def tables(summary: Summary) -> list[Table]:
    """T1 to T6 in the paper's order, then all means."""
    return [
        _counts(summary),
        _quality(summary),
        *_flips(summary),
        _examples(summary),
        _means(summary),
    ]


def _counts(summary: Summary) -> Table:
    rows = [
        {
            "perturbation": name,
            "category": variant.category,
            "possible": variant.possible,
            **{pair: summary.counts.get((pair, name), 0) for pair in summary.pairs},
        }
        for name, variant in zip(summary.names, summary.variants, strict=True)
    ]
    total = {pair: summary.items.get(pair, 0) for pair in summary.pairs}
    rows.append({"perturbation": "all items", "category": "", "possible": None, **total})
    return Table(
        "T1",
        "Samples per perturbation and language pair",
        pl.DataFrame(rows),
        "Number of items to whose source and reference the perturbation both applies; possible: "
        "what comes out is mostly grammatical.",
    )


def _quality(summary: Summary) -> Table:
    cells = summary.lead
    rows = []
    for system in (*summary.systems, *summary.poles):
        for pair in summary.pairs:
            where = cells.where(system, pair, [IDENTITY])
            if not where:
                continue
            plain = cells.mean("beta", where)
            all_cells = cells.where(system, pair)
            rows.append(
                {
                    "system": system,
                    "pair": pair,
                    **_spread("β", plain),
                    "noise": cells.noise[system, pair],
                    **_spread("β1", cells.mean("beta1", all_cells)),
                    **_spread("β2", cells.mean("beta2", all_cells)),
                    "failed": summary.faults.get((system, pair), 0),
                }
            )
    return Table(
        "T2",
        "Quality, robustness and faithfulness per system and language pair",
        pl.DataFrame(rows),
        f"{summary.leading}; β over all items, β1 and β2 averaged over perturbations; low and "
        "high: 95 % interval. Noise: how far scores of two translations of the same source lie "
        "apart. Failed: number of perturbed sources without a translation. oracle and literal are "
        "the poles of the scale: β1 = 1 and β2 = 1 by construction.",
    )


def _spread(name: str, found: Aggregate) -> dict[str, float]:
    return {name: found.value, f"{name} low": found.low, f"{name} high": found.high}


def _flips(summary: Summary) -> Iterator[Table]:
    cells, systems, pairs, names = summary.lead, summary.systems, summary.pairs, summary.names
    note = (
        "Number of samples, of N, that the perturbation made better: both counts of the paper. The "
        "share is a mean over perturbations and languages of equal weight, with its 95 % interval."
    )
    by_model = [
        {"system": system, "pair": pair, **_counted(summary, cells.where(system, pair))}
        for system in systems
        for pair in pairs
        if (system, pair) in summary.profiles
    ]
    yield Table("T3", "Flips per system and language pair", pl.DataFrame(by_model), note)
    by_pair = [
        {
            "perturbation": name,
            "pair": pair,
            **_counted(summary, cells.where(pair=pair, variants=[name], systems=systems)),
        }
        for name in names
        for pair in pairs
    ]
    yield Table("T6a", "Flips per perturbation and language pair", pl.DataFrame(by_pair), note)
    by_system = [
        {
            "perturbation": name,
            "system": system,
            **_counted(summary, cells.where(system, variants=[name])),
        }
        for name in names
        for system in systems
    ]
    yield Table("T6b", "Flips per perturbation and system", pl.DataFrame(by_system), note)


def _counted(summary: Summary, where: Sequence[int]) -> dict[str, float]:
    cells = summary.lead
    sizes = np.array([cells.counts[cells.names[i]] for i in where])
    row: dict[str, float] = {"N": int(sizes.sum())}
    for score, label in (("flip", "β1 > β"), ("flip_half", "β ≤ .5 < β1")):
        shares, _ = cells.values(score, where)
        row[label] = round(float(np.nansum(shares * sizes)), 2)
    found = cells.mean("flip", where)
    return {**row, **_spread("share β1 > β", found)}


def _examples(summary: Summary) -> Table:
    """The flips that gained most, at most a few of each perturbation."""
    columns = ["item", "variant", "source", "varied", "varied_output", "beta", "beta1"]
    found = []
    flipped = (pl.col("beta") <= 0.5) & (pl.col("beta1") > 0.5)
    for label, (run, system) in summary.sources.items():
        for pair in run.pairs_of(system):
            for part in run.parts(pair, system, summary.leading, columns):
                gained = part.filter(flipped & (pl.col("variant") != IDENTITY)).with_columns(
                    pl.lit(label).alias("system"),
                    pl.lit(str(pair)).alias("pair"),
                    (pl.col("beta1") - pl.col("beta")).alias("gain"),
                )
                found.append(_best(gained))
    shown = (
        _best(pl.concat(found))
        .head(_EXAMPLES)
        .select(
            "pair",
            "system",
            pl.col("variant").alias("perturbation"),
            "source",
            pl.col("varied").alias("perturbed source"),
            pl.col("varied_output").alias("translation of it"),
            pl.col("beta").alias("β"),
            pl.col("beta1").alias("β1"),
        )
    )
    note = "Sentences that were translated better out of order: β ≤ .5 < β1."
    return Table("T4", "Examples of flips", shown, note)


def _best(rows: pl.DataFrame, each: int = 2) -> pl.DataFrame:
    return (
        rows.sort("gain", "pair", "system", "variant", "item", descending=[True] + [False] * 4)
        .group_by("variant", "pair", maintain_order=True)
        .head(each)
        .sort("gain", "pair", "system", "variant", "item", descending=[True] + [False] * 4)
    )


def _means(summary: Summary) -> Table:
    """Every mean of every metric; p-values are Holm's over the perturbations of a system."""
    rows = []
    for metric, cells in summary.cells.items():
        for system in summary.systems:
            for pair in summary.pairs:
                rows += (
                    _means_of(summary, metric, system, pair) if cells.where(system, pair) else []
                )
    return Table(
        "scores",
        "All means per system, language pair, perturbation and metric",
        pl.DataFrame(rows),
        "95 % intervals by bootstrap over items; p: is β2 − β1 other than 0, corrected after Holm "
        "over the perturbations; noise: |β2 − β1| lies below the system's own noise.",
    )


def _means_of(summary: Summary, metric: str, system: str, pair: str) -> list[dict[str, object]]:
    cells = summary.cells[metric]
    floor = cells.noise[system, pair]
    rows: list[dict[str, object]] = []
    tests = []
    for name in summary.names:
        where = cells.where(system, pair, [name])
        difference = cells.mean("difference", where)
        tests.append(difference.p)
        rows.append(
            {
                "metric": metric,
                "system": system,
                "pair": pair,
                "perturbation": name,
                "N": summary.counts.get((pair, name), 0),
                **_spread("β", cells.mean("beta", where)),
                **_spread("β1", cells.mean("beta1", where)),
                **_spread("β2", cells.mean("beta2", where)),
                **_spread("β2 − β1", difference),
                "p": 1.0,
                "noise": bool(abs(difference.value) < floor),
                **_spread("α source", cells.mean("alpha", where)),
                **_spread("α target", cells.mean("alpha_target", where)),
            }
        )
    for row, p in zip(rows, holm(tests), strict=True):
        row["p"] = p
    return rows
