"""What is left of a system's quality when words are out of order: β1 over β of the same samples."""

from __future__ import annotations

import polars as pl

from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Table
from hyperbaton.studies.layer.aggregate import NOTHING, Aggregate
from hyperbaton.studies.layer.means import Means, Wanted
from hyperbaton.studies.layer.samples import Measures
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.outcomes import PROJECTED
from hyperbaton.studies.study import ALL, Score

__all__ = ["CLEAN_MOVED", "KEPT", "QUALITIES", "kept", "kept_scores", "quality_table"]

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


def quality_table(summary: Summary) -> Table:
    """What each system reaches in each pair, the poles of the scale last."""
    means = summary.lead
    rows: list[dict[str, object]] = []
    for system in (*summary.named, *summary.poles):
        for pair in summary.pairs:
            where = {"system": system, "pair": pair}
            if not means.where(**where, variant=IDENTITY):
                continue
            rows.append(
                {
                    **where,
                    **means.mean("beta", **where, variant=IDENTITY).spread("β"),
                    "noise": summary.noise[summary.leading, system, pair],
                    **means.mean(CLEAN_MOVED, **where).spread("β moved"),
                    **means.mean("beta1", **where).spread("β1"),
                    **kept(means, summary.leading, **where).spread("kept"),
                    **means.mean("beta2", **where).spread("β2"),
                    **means.mean(PROJECTED, **where).spread("β2 projected"),
                    "failed": summary.faults.get((system, pair), 0),
                }
            )
    return Table(
        "T2",
        "Quality, robustness and faithfulness per system and language pair",
        pl.DataFrame(rows),
        f"{summary.leading}; β over all items, β1 and β2 averaged over perturbations; β moved: β "
        "of the very samples of β1, averaged as β1 is, since a perturbation does not apply to "
        "every sentence; kept: β1 over β moved; low and high: 95 % interval. Noise: how far scores "
        "of two translations of the same source lie apart. Failed: number of perturbed sources "
        "without a translation. oracle and literal are the poles of the scale: β1 = 1 and β2 = 1 "
        "by construction. Bold in LaTeX: the highest of each column, which is the best for β only; "
        "controls are left out.",
        best=("β", "β1", KEPT, "β2", "β2 projected"),
        controls=sorted({source.system for source in summary.sources if source.control}),
    )
