"""Tables that several studies have: samples, all means with a test, the best examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from hyperbaton.perturb import Perturbation
from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Table
from hyperbaton.stats import holm
from hyperbaton.studies.sources import Source
from hyperbaton.studies.summary import Summary

__all__ = ["best_rows", "counts_table", "means_table"]


def counts_table(summary: Summary, perturbations: Sequence[Perturbation]) -> Table:
    """How many items each perturbation applies to."""
    rows = [
        {
            "perturbation": str(variant),
            "category": variant.category,
            "possible": variant.possible,
            **{pair: summary.counts.get((pair, str(variant)), 0) for pair in summary.pairs},
        }
        for variant in perturbations
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


def means_table(
    summary: Summary, scores: Mapping[str, str], tested: str = "", note: str = ""
) -> Table:
    """Every mean of every metric; `tested` is the score that may be 0, with Holm's p over variants.

    `scores` maps names to labels.
    """
    rows = [
        row
        for metric in summary.metrics
        for source in summary.tested
        for row in _rows(summary, metric, source, scores, tested)
    ]
    return Table(
        "scores",
        "All means per system, language pair, perturbation and metric",
        pl.DataFrame(rows, infer_schema_length=None),
        "; ".join(filter(None, ("95 % intervals by bootstrap over items", note))),
    )


def _rows(
    summary: Summary, metric: str, source: Source, scores: Mapping[str, str], tested: str
) -> list[dict[str, object]]:
    means = summary.means[metric]
    system, pair = source.system, str(source.pair)
    floor = summary.noise[metric, system, pair]
    rows: list[dict[str, object]] = []
    tests = []
    for name in summary.variants:
        where = {"system": system, "pair": pair, "variant": name}
        row: dict[str, object] = {
            "metric": metric,
            "system": system,
            "pair": pair,
            "perturbation": name,
            "N": summary.counts.get((pair, name), 0),
        }
        for score, label in scores.items():
            found = means.mean(score, **where)
            row |= found.spread(label)
            if score == tested:
                tests.append(found.p)
                row |= {"p": 1.0, "noise": bool(abs(found.value) < floor)}
        rows.append(row)
    for row, p in zip(rows, holm(tests), strict=bool(tested)):
        row["p"] = p
    return rows


def best_rows(
    summary: Summary,
    where: pl.Expr,
    gain: pl.Expr,
    shown: Mapping[str, str],
    each: int = 2,
    most: int = 30,
) -> pl.DataFrame:
    """The rows that gained most, a few of each variant and pair; `shown` maps columns to labels."""
    read = {*shown, "item", *where.meta.root_names(), *gain.meta.root_names()} - {"system", "pair"}
    found = [
        _best(
            part.filter(where & (pl.col("variant") != IDENTITY)).with_columns(
                system=pl.lit(source.system), pair=pl.lit(str(source.pair)), gain=gain
            ),
            each,
        )
        for source in summary.tested
        for part in source.run.parts(source.pair, source.name, summary.leading, sorted(read))
    ]
    return _best(pl.concat(found), each).head(most).select(*shown).rename(shown)


def _best(rows: pl.DataFrame, each: int) -> pl.DataFrame:
    by = ["gain", "pair", "system", "variant", "item"]
    ordered = rows.sort(by, descending=[True] + [False] * 4)
    some = ordered.group_by("variant", "pair", maintain_order=True).head(each)
    return some.sort(by, descending=[True] + [False] * 4)
