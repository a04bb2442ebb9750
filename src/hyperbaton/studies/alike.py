"""How alike two variants of the same sentence are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import polars as pl

from hyperbaton.pipeline import Pair, Run
from hyperbaton.pipeline.stages.scoring import settled
from hyperbaton.studies.layer.summary import Summary

__all__ = ["similarities"]

_ITEMS = 300
"""Items of a language that are compared; the means do not need more."""

Similarity = dict[tuple[str, str], float]


def similarities(summary: Summary) -> dict[str, Similarity]:
    """The mean similarity of every two variants, per language of a source or reference."""
    found: dict[str, Similarity] = {}
    metric, names = summary.leading, summary.variants
    for run in dict.fromkeys(source.run for source in summary.sources):
        for pair in run.pairs:
            for language, column in ((pair.source, "varied"), (pair.target, "varied_reference")):
                if language not in found:
                    found[language] = _between(_texts(run, pair, column), metric, language, names)
    return found


def _texts(run: Run, pair: Pair, column: str) -> pl.DataFrame:
    """The first draws of the first items, a column for each perturbation."""
    rows = []
    items = 0
    for part in run.parts(pair, columns=["item", "variant", "draw", column]):
        rows.append(part.filter(pl.col("draw") == 0).unique(["item", "variant"], keep="first"))
        items += part["item"].n_unique()
        if items >= _ITEMS:
            break
    wide = pl.concat(rows).sort("item", "variant").pivot("variant", index="item", values=column)
    return wide.head(_ITEMS)


def _between(texts: pl.DataFrame, metric: str, language: str, names: Sequence[str]) -> Similarity:
    there = [name for name in names if name in texts.columns]
    scorer = settled(metric, language)
    found: Similarity = {(name, name): 1.0 for name in there}
    pairs = [
        (one, other, texts.select(one, other).drop_nulls()) for one, other in combinations(there, 2)
    ]
    hypotheses = [text for one, _, both in pairs for text in both[one]]
    references = [text for _, other, both in pairs for text in both[other]]
    if not hypotheses or scorer.needs_sources:
        return found
    scores = scorer.sentence_scores(hypotheses, references)
    at = 0
    for one, other, both in pairs:
        if both.height:
            value = float(scores[at : at + both.height].mean())
            found[one, other] = found[other, one] = value
            at += both.height
    return found
