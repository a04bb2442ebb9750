"""What several studies show of means: score rows, tables, and the rows of charts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np
import polars as pl

from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Table
from hyperbaton.stats import holm
from hyperbaton.studies.layer.experiment import ALL, Score
from hyperbaton.studies.layer.means import Wanted
from hyperbaton.studies.layer.summary import Summary

Row = dict[str, str | float | int | None]
"""A row of a chart."""


def score_rows(
    summary: Summary, clean: Sequence[str], varied: Sequence[str], control: Sequence[str] = ()
) -> list[Score]:
    """What `--format json` prints and `check` compares: scores of the clean source, then others.

    The others are given for each variant and as means over variants. `control` are scores of the
    identity that come last: `check` takes the first row of a name.
    """
    plan = [(IDENTITY, clean), *((variant, varied) for variant in (ALL, *summary.variants))]
    plan.append((IDENTITY, control))
    return [
        Score.of((system, pair, variant, metric, name), mean, means.count(name, **where))
        for metric, means in summary.means.items()
        for system, pair in ((source.system, str(source.pair)) for source in summary.tested)
        for variant, names in plan
        for where in [{"system": system, "pair": pair, "variant": summary.wanted(variant)}]
        for name in names
        if means.has(name)
        for mean in [means.mean(name, **where)]
    ]


def mean_rows(summary: Summary, metric: str, scores: Mapping[str, str]) -> list[Row]:
    """The mean of scores over the systems, per perturbation and language; `scores` are labels."""
    rows: list[Row] = []
    for pair, name, (score, label) in product(summary.pairs, summary.variants, scores.items()):
        mean = summary.means[metric].mean(score, system=summary.systems, pair=pair, variant=name)
        if np.isfinite(mean.value):
            row: Row = {"language": summary.panels[pair], "perturbation": name, "score": label}
            value, low, high = (round(number, 5) for number in mean.span)
            rows.append(row | {"value": value, "low": low, "high": high})
    return rows


def means_table(
    summary: Summary,
    scores: Mapping[str, str],
    tested: str = "",
    note: str = "",
    percent: Collection[str] = (),
) -> Table:
    """Every mean of every metric; `tested` is the score that may be 0, with Holm's p over variants.

    `scores` maps names to labels.
    """
    rows = [
        row
        for metric in summary.metrics
        for source in summary.tested
        for row in _rows(summary, metric, (source.system, str(source.pair)), scores, tested)
    ]
    return Table(
        "scores",
        "All means per system, language pair, perturbation and metric",
        pl.DataFrame(rows, infer_schema_length=None),
        "; ".join(filter(None, ("95 % intervals by bootstrap over items", note))),
        percent=percent,
    )


def _rows(
    summary: Summary, metric: str, of: tuple[str, str], scores: Mapping[str, str], tested: str
) -> list[dict[str, object]]:
    system, pair = of
    floor = summary.noise.get((metric, *of), 0.0)
    rows: list[dict[str, object]] = []
    tests = []
    for name in summary.variants:
        row: dict[str, object] = {"metric": metric, "system": system, "pair": pair}
        row |= {"perturbation": name, "N": summary.counts.get((pair, name), 0)}
        for score, label in scores.items():
            mean = summary.means[metric].mean(score, system=system, pair=pair, variant=name)
            row |= mean.spread(label)
            if score == tested:
                tests.append(mean.p)
                row |= {"p": 1.0, "noise": bool(abs(mean.value) < floor)}
        rows.append(row)
    for row, p in zip(rows, holm(tests), strict=bool(tested)):
        row["p"] = p
    return rows


def differences_table(
    summary: Summary,
    scores: Mapping[str, str],
    clean: Sequence[str] = (),
    by_metric: Sequence[str] | None = None,
) -> Table:
    """Every two systems on the items that they share, per score, pair and variant.

    `scores` maps names to labels; `clean` are those of the clean source, which has no variants.
    Where `by_metric` names scores, there are only these by further metrics than the leading one,
    as means over variants. p is Holm's over the variants of a score, and by itself for their mean.
    """
    rows = [
        row
        for metric, systems in product(summary.metrics, combinations(summary.named, 2))
        for leads in [metric == summary.leading or by_metric is None]
        for score in (scores if leads else by_metric or ())
        if summary.means[metric].has(score)
        for pair in (*([ALL] if len(summary.pairs) > 1 else []), *summary.pairs)
        for row in _differences(
            summary,
            metric,
            score,
            systems,
            pair,
            [IDENTITY] if score in clean else [ALL, *(summary.variants if leads else ())],
            scores[score],
        )
    ]
    return Table(
        "differences",
        "Differences between systems",
        pl.DataFrame(rows, infer_schema_length=None),
        "First minus second, on the samples that all systems translated; 95 % intervals by paired "
        "bootstrap; p: is the difference other than 0, corrected after Holm over the perturbations "
        "of a score.",
    )


def _differences(
    summary: Summary,
    metric: str,
    score: str,
    systems: tuple[str, str],
    pair: str,
    variants: Sequence[str],
    label: str,
) -> Iterator[dict[str, object]]:
    one, other = ({"system": system} for system in systems)
    both: dict[str, Wanted] = {} if pair == ALL else {"pair": pair}
    differences = [
        summary.shared(metric).difference(score, one, other, variant=summary.wanted(name), **both)
        for name in variants
    ]
    tests = [differences[0].p, *holm([each.p for each in differences[1:]])]
    key = {"metric": metric, "first": systems[0], "second": systems[1], "pair": pair}
    for variant, each, p in zip(variants, differences, tests, strict=True):
        if np.isfinite(each.value):
            row = {**key, "score": label, "perturbation": variant}
            yield {**row, **each.spread("difference"), "p": p}
