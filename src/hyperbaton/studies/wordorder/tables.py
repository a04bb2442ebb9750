"""The scores of the word-order study, the tables of its paper, and one with every mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from hyperbaton.perturb import Perturbation
from hyperbaton.report.contents import Table
from hyperbaton.studies.layer.means import Wanted
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.layer.tables import best_rows, counts_table, differences_table, means_table
from hyperbaton.studies.wordorder.headlines import (
    CONTENT,
    KEPT,
    QUALITIES,
    RATIOS,
    quality_table,
    shares_table,
)
from hyperbaton.studies.wordorder.outcomes import PROJECTED, SHARES
from hyperbaton.studies.wordorder.profiles import Plan, Profiled, rank_table

__all__ = ["BY_METRIC", "FILTERS", "LABELS", "PLAN", "SHOWN", "tables"]

LABELS = {
    "beta": "β",
    "beta1": "β1",
    "beta2": "β2",
    "beta2_projected": "β2 projected",
    "difference": "β2 − β1",
    "alpha": "α",
    "length": "length",
}
SHOWN = {name: label for name, label in LABELS.items() if name != "length"}
BY_METRIC = ("beta", "beta1", "beta2", PROJECTED)
"""The scores that every metric gives a sample."""
_BETTER = pl.col("beta1") > pl.col("beta")
_BETTER_BY_HALF = (pl.col("beta") <= 0.5) & (pl.col("beta1") > 0.5)
PLAN = Plan(
    measures={
        "beta": pl.col("beta"),
        "beta1": pl.col("beta1"),
        "beta2": pl.col("beta2"),
        "difference": pl.col("beta2") - pl.col("beta1"),  # below 0 where a system is robust
        "alpha": pl.col("alpha"),
        "alpha_target": pl.col("alpha_target"),
        PROJECTED: pl.col(PROJECTED),
        "flip": _BETTER,
        "flip_half": _BETTER_BY_HALF,
        **SHARES,
        **CONTENT,
        **QUALITIES,
    },
    ratios=RATIOS,
    clean="beta",
    varied=("beta1", "beta2", "alpha"),
    spread="difference",
)
# In words that can stand in a list without their label; null where an output is missing.
_WORDS = pl.when(_BETTER).then(pl.lit("flip")).when(~_BETTER).then(pl.lit("no flip"))
FILTERS = {"outcome": ("outcome", pl.col("outcome")), "flip": ("β1 > β", _WORDS)}
_CORRELATED = (
    ("beta1", "length"),
    ("beta2", "length"),
    ("alpha", "length"),
    ("beta1", "beta"),
    ("beta2", "beta"),
    ("beta1", "beta2"),
    ("alpha", "beta1"),
    ("alpha", "beta2"),
)


def tables(found: Profiled, perturbations: Sequence[Perturbation]) -> list[Table]:
    """T1 to T6 in the paper's order, then all means and correlations."""
    summary = found.summary
    shown = {**SHOWN, "alpha": "α source", "alpha_target": "α target"}
    note = (
        "p: is β2 − β1 other than 0, corrected after Holm over the perturbations; noise: |β2 − β1| "
        "lies below the system's own noise."
    )
    return [
        counts_table(summary, perturbations),
        quality_table(summary),
        shares_table(summary),
        *_flips(summary),
        _examples(summary),
        means_table(summary, shown, "difference", note),
        rank_table(found, _CORRELATED, LABELS),
        *([_differences(summary)] if len(summary.named) > 1 else []),
    ]


def _differences(summary: Summary) -> Table:
    shown = {score: LABELS[score] for score in (*BY_METRIC, "difference")}
    shown |= {KEPT: KEPT} | {share: share for share in SHARES}
    return differences_table(summary, shown, ["beta"], (*BY_METRIC, KEPT))


def _flips(summary: Summary) -> Iterator[Table]:
    note = (
        "Number of samples, of N, that the perturbation made better: both counts of the paper. The "
        "share is a mean over perturbations and languages, with its 95 % interval."
    )
    names, pairs, systems = summary.variants, summary.pairs, summary.named
    models = [{"system": source.system, "pair": str(source.pair)} for source in summary.tested]
    by_pair = [{"perturbation": name, "pair": pair} for name in names for pair in pairs]
    by_system = [{"perturbation": name, "system": system} for name in names for system in systems]
    for name, title, keys in (
        ("T3", "Flips per system and language pair", models),
        ("T6a", "Flips per perturbation and language pair", by_pair),
        ("T6b", "Flips per perturbation and system", by_system),
    ):
        rows = [{**key, **_flipped(summary, key)} for key in keys]
        yield Table(name, title, pl.DataFrame(rows), note)


def _flipped(summary: Summary, key: Mapping[str, str]) -> dict[str, float]:
    where: dict[str, Wanted] = {"system": summary.systems, **key}
    if "perturbation" in where:
        where["variant"] = where.pop("perturbation")
    cells = summary.lead.where(**where)
    sizes = summary.lead.sizes("beta1", cells)
    row: dict[str, float] = {"N": int(sizes.sum())}
    for score, label in (("flip", "β1 > β"), ("flip_half", "β ≤ .5 < β1")):
        shares, _ = summary.lead.values(score, cells)
        row[label] = round(float(np.nansum(shares * sizes)), 2)
    return {**row, **summary.lead.mean("flip", **where).spread("share β1 > β")}


def _examples(summary: Summary) -> Table:
    shown = {
        "pair": "pair",
        "system": "system",
        "variant": "perturbation",
        "source": "source",
        "varied": "perturbed source",
        "varied_output": "translation of it",
        "beta": "β",
        "beta1": "β1",
    }
    rows = best_rows(summary, _BETTER_BY_HALF, pl.col("beta1") - pl.col("beta"), shown)
    note = "Sentences that were translated better out of order: β ≤ .5 < β1."
    return Table("T4", "Examples of flips", rows, note)
