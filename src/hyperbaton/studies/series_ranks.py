"""Which encoder is better, by how much, and whether that is certain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from hyperbaton.pipeline import IDENTITY
from hyperbaton.report.contents import Contest
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.studies.layer.ranking import ranking
from hyperbaton.studies.series import Series, grouped, mean

__all__ = ["contests"]


def contests(series: Sequence[Series]) -> list[Contest]:
    """A ranking on perturbed text and one on clean text for each task with several encoders."""
    tasks = grouped(series, lambda one: one.task)
    found = []
    for task, mine in tasks.items():
        rivals = _rivals(mine)
        for text, of in (("perturbed text", _perturbed), ("clean text", _clean)):
            label = f"{mine[0].score} on {text}" + f" ({task})" * (len(tasks) > 1)
            found.append(_contest(label, rivals, of))
    return [one for one in found if one is not None]


def _rivals(series: Sequence[Series]) -> Mapping[str, list[Series]]:
    """The encoders in the languages, examples and perturbations that all of them had.

    So the same languages and examples are drawn for all, and differences are paired.
    """
    known = {
        system: {(one.language, len(one.scores), one.variants): one for one in mine}
        for system, mine in grouped(series, lambda one: one.system).items()
    }
    first, *others = known.values()
    shared = [key for key in first if all(key in other for other in others)]
    return {system: [mine[key] for key in shared] for system, mine in known.items()}


def _contest(
    label: str,
    rivals: Mapping[str, list[Series]],
    of: Callable[[Series], tuple[float, Floats]],
) -> Contest | None:
    means = {system: mean(mine, of) for system, mine in rivals.items()}

    return ranking(label, means, leads="is better than")


def _perturbed(one: Series) -> tuple[float, Floats]:
    places = [place for place, name in enumerate(one.variants) if name != IDENTITY]
    if not places:
        return float("nan"), np.full(1, np.nan)
    return float(one.values[places].mean()), np.asarray(one.drawn[:, places].mean(axis=1))


def _clean(one: Series) -> tuple[float, Floats]:
    found = one.at(IDENTITY)
    return found.value, found.drawn
