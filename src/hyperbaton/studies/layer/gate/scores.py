"""The scores of a run that a gate compares: by name, variant and system."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.studies.layer.answers import with_untranslated
from hyperbaton.studies.layer.experiment import ALL, Experiment, Score
from hyperbaton.studies.layer.sources import sources

_MEANS = (ALL, IDENTITY)
"""Variants that stand for a whole study: the mean over variants, and the clean sentence."""


class Named(NamedTuple):
    """A score by name, maybe of one variant: `beta1@reversed`."""

    name: str
    variant: str | None = None

    @classmethod
    def parse(cls, text: str) -> Named:
        """Read it as it is typed.

        >>> Named.parse("beta1@nounSwaps"), Named.parse("beta1")
        (Named(name='beta1', variant='nounSwaps'), Named(name='beta1', variant=None))
        """
        name, at, variant = text.partition("@")
        return cls(name, variant if at else None)


def gate_scores(study: Experiment, run: Run, metric: str | None) -> list[Score]:
    """The scores of a run that can be compared with something: none of the poles."""
    # Systems go by short names there, poles by their own.
    poles = set(run.poles) - set(run.systems)
    scores = [s for s in study.scores([run], metric) if s.system not in poles]
    scores = with_untranslated(scores, [run])
    if not scores and run.failed() and not metric:
        raise HyperbatonError(f"{run.folder} has no scores, since every system failed on every row")
    if not scores:
        of = f" of {metric}" if metric else ""
        known = ", ".join(run.metrics)
        raise HyperbatonError(f"{run.folder} has no scores{of}: its metrics are {known}")
    return scores


def scores_named(scores: Sequence[Score], wanted: Named, run: Run) -> list[Score]:
    """The scores of a name, by one metric: of a variant or, where there are means, these."""
    named = [score for score in scores if score.name == wanted.name]
    if not named:
        known = list(dict.fromkeys(score.name for score in scores))
        raise HyperbatonError(
            f"{run.folder} has no score '{wanted.name}' (it has: {', '.join(known)})."
            f"{did_you_mean(wanted.name, known)}"
        )
    variants = list(dict.fromkeys(score.variant for score in named))
    chosen = wanted.variant or next((v for v in variants if v in _MEANS), None)
    found = [s for s in named if s.metric == named[0].metric and chosen in (None, s.variant)]
    if not found:
        raise HyperbatonError(
            f"{run.folder} has no {wanted.name} of '{chosen}' (it has: {', '.join(variants)})."
            f"{did_you_mean(str(chosen), variants)}"
        )
    return found


def only_systems(scores: Sequence[Score], systems: Collection[str], run: Run) -> list[Score]:
    """The scores of some systems, or of all where none is named."""
    if not systems:
        return list(scores)
    labels = {source.name: source.system for source in sources([run])}
    known = {**{label: label for label in labels.values()}, **labels}
    for name in systems:
        if name not in known:
            raise HyperbatonError(
                f"{run.folder} has no system '{name}' (it has: {', '.join(run.systems)})."
                f"{did_you_mean(name, known)}"
            )
    wanted = {known[name] for name in systems}
    return [score for score in scores if score.system in wanted]
