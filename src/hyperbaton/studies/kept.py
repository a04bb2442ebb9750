"""What is left of a system's quality when words are out of order: β1 over β of the same samples."""

from __future__ import annotations

import polars as pl

from hyperbaton.metrics import METRICS
from hyperbaton.studies.aggregates import NOTHING, Aggregate
from hyperbaton.studies.cubes import Measures
from hyperbaton.studies.means import Means, Wanted
from hyperbaton.studies.study import ALL, Score
from hyperbaton.studies.summary import Summary

__all__ = ["CLEAN_MOVED", "KEPT", "QUALITIES", "kept", "kept_scores"]

KEPT = "kept"
CLEAN_MOVED, _VARIED = "beta_moved", "beta1_moved"
QUALITIES: Measures = {
    # Adding nothing leaves a sample out of both where one of the two scores is missing.
    CLEAN_MOVED: pl.col("beta") + 0 * pl.col("beta1"),
    _VARIED: pl.col("beta1") + 0 * pl.col("beta"),
}
"""β and β1 of the samples that have both."""


def kept(means: Means, metric: str, **where: Wanted) -> Aggregate:
    """How much of β is left in β1, over the same samples; nothing for what is no similarity."""
    if not METRICS.parse(metric).higher_is_better:
        return NOTHING
    return means.mean(_VARIED, **where) / means.mean(CLEAN_MOVED, **where)


def kept_scores(summary: Summary) -> list[Score]:
    """The same as rows: over all variants, and for each."""
    found = []
    for metric, means in summary.means.items():
        for source in summary.tested:
            system, pair = source.system, str(source.pair)
            for variant in (ALL, *summary.variants):
                wanted = summary.variants if variant == ALL else (variant,)
                where = {"system": system, "pair": pair, "variant": wanted}
                share = kept(means, metric, **where)
                count = means.count(_VARIED, **where)
                found.append(Score(system, pair, variant, metric, KEPT, *share.span, count))
    return [score for score in found if METRICS.parse(score.metric).higher_is_better]
