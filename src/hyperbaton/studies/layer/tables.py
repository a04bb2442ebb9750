"""Tables that several studies have: samples, all means with a test, the best examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np
import polars as pl

from hyperbaton.perturb import Perturbation
from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Table
from hyperbaton.stats import holm
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.experiment import ALL, Score
from hyperbaton.studies.layer.means import Made, Wanted
from hyperbaton.studies.layer.sources import Source
from hyperbaton.studies.layer.summary import Summary

__all__ = ["best_rows", "counts_table", "differences_table", "means_table", "score_rows"]


def counts_table(summary: Summary, perturbations: Sequence[Perturbation]) -> Table:
    """How many items each perturbation applies to."""
    rows = [
        {
            "perturbation": str(variant),
            "category": variant.category,
            "possible": variant.possible,
            "unchanged": _unchanged(summary, str(variant)),
            **{pair: summary.counts.get((pair, str(variant)), 0) for pair in summary.pairs},
        }
        for variant in perturbations
    ]
    total = {pair: summary.items.get(pair, 0) for pair in summary.pairs}
    none = {"category": "", "possible": None, "unchanged": None}
    rows.append({"perturbation": "all items", **none, **total})
    return Table(
        "T1",
        "Samples per perturbation and language pair",
        pl.DataFrame(rows),
        "Number of items to whose source and reference the perturbation both applies; possible: "
        "what comes out is mostly grammatical; unchanged: share of draws that left the source as "
        "it was, which are counted with the others.",
    )


def _unchanged(summary: Summary, variant: str) -> float | None:
    """The share of draws that changed nothing, over all pairs by their samples."""
    counts = {pair: summary.counts.get((pair, variant), 0) for pair in summary.pairs}
    shares = summary.unchanged
    total = sum(counts.values())
    same = sum(count * shares.get((pair, variant), 0.0) for pair, count in counts.items())
    return same / total if total else None


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
    floor = summary.noise.get((metric, system, pair), 0.0)
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


def differences_table(
    summary: Summary,
    scores: Mapping[str, str],
    clean: Sequence[str] = (),
    by_metric: Sequence[str] | None = None,
    made: Mapping[str, Made] | None = None,
) -> Table:
    """Every two systems on the items that they share, per score, pair and variant.

    `scores` maps names to labels; `clean` are those of the clean source, which has no variants.
    Where `by_metric` names scores, there are only these by further metrics than the leading one,
    as means over variants. `made` says how scores are made that are no means. p is Holm's over the
    variants of a score, and by itself for their mean.
    """
    rows: list[dict[str, object]] = []
    for metric, (one, other) in product(summary.metrics, combinations(summary.named, 2)):
        leads = metric == summary.leading or by_metric is None
        some = scores if leads else by_metric or ()
        for score, pair in product(some, (*_all(summary.pairs), *summary.pairs)):
            variants = [IDENTITY] if score in clean else [ALL, *(summary.variants if leads else ())]
            how = (made or {}).get(score)
            found = [
                _difference(summary, metric, score, (one, other), pair, v, how) for v in variants
            ]
            key = {"metric": metric, "first": one, "second": other, "pair": pair}
            key |= {"score": scores[score]}
            rows += [
                {**key, "perturbation": variant, **each.spread("difference"), "p": p}
                for variant, each, p in zip(variants, found, _tests(found), strict=True)
                if np.isfinite(each.value)
            ]
    return Table(
        "differences",
        "Differences between systems",
        pl.DataFrame(rows, infer_schema_length=None),
        "First minus second, on the samples that all systems translated; 95 % intervals by paired "
        "bootstrap; p: is the difference other than 0, corrected after Holm over the perturbations "
        "of a score.",
    )


def _all(pairs: Sequence[str]) -> Sequence[str]:
    return [ALL] if len(pairs) > 1 else []


def _difference(
    summary: Summary,
    metric: str,
    score: str,
    systems: tuple[str, str],
    pair: str,
    variant: str,
    made: Made | None,
) -> Aggregate:
    one, other = ({"system": system} for system in systems)
    means = summary.shared_by(metric)
    both: dict[str, Wanted] = {"variant": summary.variants if variant == ALL else (variant,)}
    if pair != ALL:
        both["pair"] = pair
    if made is not None:
        return made(means, metric, **one, **both) - made(means, metric, **other, **both)
    return means.difference(score, one, other, **both)


def _tests(found: Sequence[Aggregate]) -> list[float]:
    return [found[0].p, *holm([each.p for each in found[1:]])]


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


def score_rows(
    summary: Summary, clean: Sequence[str], varied: Sequence[str], control: Sequence[str] = ()
) -> list[Score]:
    """Scores of the clean source, then others for each variant and as means over variants.

    `control` are scores of the identity that come last: `check` takes the first row of a name.
    """
    found = []
    for metric, means in summary.means.items():
        for source in summary.tested:
            system, pair = source.system, str(source.pair)
            plan = [(IDENTITY, clean), *((variant, varied) for variant in (ALL, *summary.variants))]
            plan.append((IDENTITY, control))
            for variant, names in plan:
                wanted = summary.variants if variant == ALL else (variant,)
                where = {"system": system, "pair": pair, "variant": wanted}
                for name in names:
                    mean = means.mean(name, **where)
                    span = mean.value, mean.low, mean.high
                    count = means.count(name, **where)
                    found.append(Score(system, pair, variant, metric, name, *span, count))
    return found
