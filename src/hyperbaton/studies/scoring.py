"""The means of a summary as rows: what `--format json` prints and `check` compares."""

from __future__ import annotations

from collections.abc import Sequence

from hyperbaton.pipeline import IDENTITY
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.steering import steerability_scores
from hyperbaton.studies.study import ALL, Score

__all__ = ["score_rows"]


def score_rows(
    summary: Summary, clean: Sequence[str], varied: Sequence[str], control: Sequence[str] = ()
) -> list[Score]:
    """Scores of the clean source, then others for each variant and as means over variants.

    `control` are scores of the identity that come last: `check` takes the first row of a name.
    How well systems can be steered follows, where they were asked in several modes.
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
    return found + steerability_scores(summary)
