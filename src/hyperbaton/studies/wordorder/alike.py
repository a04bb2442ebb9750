"""How alike two perturbations of the same sentences are, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import polars as pl

from hyperbaton.perturb import Perturbation
from hyperbaton.pipeline import Pair, Run
from hyperbaton.pipeline.stages.scoring import settled
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.layer.aggregate import Aggregate, of_sums
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.wordorder.profiles import Profiled

_COMPARED = 300
"""Items of a language whose variants are compared; the means do not need more."""
_SCHEMA = {"item": pl.String(), "a": pl.String(), "b": pl.String(), "value": pl.Float64()}


def likenesses(summary: Summary) -> dict[str, pl.DataFrame]:
    """A row per item and pair of variants, for each language of a source or reference."""
    found: dict[str, pl.DataFrame] = {}
    for run in dict.fromkeys(source.run for source in summary.sources):
        for pair in run.pairs:
            for language, column in ((pair.source, "varied"), (pair.target, "varied_reference")):
                if language not in found:
                    texts = _texts(run, pair, column)
                    found[language] = _between(texts, summary.leading, language, summary.variants)
    return found


def similarities(profiled: Profiled) -> dict[str, dict[tuple[str, str], float]]:
    """The mean similarity of every two variants, by language."""
    found = {}
    for language, rows in profiled.alike(likenesses).items():
        means = rows.group_by("a", "b", maintain_order=True).agg(pl.col("value").mean())
        there = {*rows["a"].unique(), *rows["b"].unique()}
        names = [name for name in profiled.summary.variants if name in there]
        values = {(name, name): 1.0 for name in names}
        for one, other, value in means.iter_rows():
            values[one, other] = values[other, one] = value
        found[language] = values
    return found


def inside_minus_between(
    profiled: Profiled, perturbations: Sequence[Perturbation]
) -> dict[str, Aggregate]:
    """How much more alike two of a family are than two of different ones, by language."""
    family = {str(one): one.category for one in perturbations}
    found = {}
    for language, rows in profiled.alike(likenesses).items():
        known = rows.with_columns(
            inside=pl.col("a").replace_strict(family) == pl.col("b").replace_strict(family)
        )
        means = known.group_by("item", maintain_order=True).agg(
            apart=pl.col("value").filter("inside").mean()
            - pl.col("value").filter(~pl.col("inside")).mean()
        )
        values = means["apart"].drop_nulls().to_numpy()
        if len(values) > 1:
            table = np.column_stack([values, np.ones(len(values))])
            found[language] = of_sums(table, lambda sums: sums[:, 0] / sums[:, 1], Bootstrap())
    return found


def _texts(run: Run, pair: Pair, column: str) -> pl.DataFrame:
    """The first draws of the first items, a column for each perturbation."""
    rows = []
    items = 0
    for part in run.parts(pair, columns=["item", "variant", "draw", column]):
        rows.append(part.filter(pl.col("draw") == 0).unique(["item", "variant"], keep="first"))
        items += part["item"].n_unique()
        if items >= _COMPARED:
            break
    wide = pl.concat(rows).sort("item", "variant").pivot("variant", index="item", values=column)
    return wide.head(_COMPARED)


def _between(texts: pl.DataFrame, metric: str, language: str, names: Sequence[str]) -> pl.DataFrame:
    there = [name for name in names if name in texts.columns]
    scorer = settled(metric, language)
    pairs = [
        texts.select("item", pl.lit(one).alias("a"), pl.lit(other).alias("b"), x=one, y=other)
        for one, other in combinations(there, 2)
    ]
    if not pairs or scorer.needs_sources:
        return pl.DataFrame(schema=_SCHEMA)
    rows = pl.concat(pairs).drop_nulls()
    scores = scorer.sentence_scores(rows["x"].to_list(), rows["y"].to_list())
    return rows.select("item", "a", "b", value=pl.Series(scores, dtype=pl.Float64))
