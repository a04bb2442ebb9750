"""The scores of a run that a gate compares, and one score in two runs with its difference."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.wording import bounds, counted, p_text, precision, show
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.answers import with_untranslated
from hyperbaton.studies.layer.claims import LEVEL
from hyperbaton.studies.layer.experiment import ALL, Experiment, Score
from hyperbaton.studies.layer.sources import sources

_MEANS = (ALL, IDENTITY)
"""Variants that stand for a whole study: the mean over variants, and the clean sentence."""
Verdict = Literal["worse", "undecided", "better", "no worse", "same"]


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


class Limits(NamedTuple):
    """What a gate lets pass, in points of a score from 0 to 1."""

    tolerance: float = 0.0
    """The loss that is accepted."""
    resolution: float = 0.05
    """How far the interval of a change may reach to either side; beyond that, a loss of that size
    could go unseen, and the sentences are too few to tell."""


@dataclass(frozen=True)
class Change:
    """One score of one system in two runs."""

    new: Score
    old: Score
    difference: Aggregate
    """The new one minus the old one."""
    sign: int
    """1 where more is better, −1 where less is."""
    limits: Limits
    rows: int
    changed: int
    """The rows, and how many of them have other answers than before."""
    p: float = math.nan
    """Whether the loss can be the tolerance, corrected after Holm for all that is compared."""
    p_gain: float = math.nan
    """Whether the gain can be 0, corrected alike."""

    @property
    def verdict(self) -> Verdict:
        """What can be said for sure."""
        gain = self.sign * self.difference.value
        if self.p < LEVEL and gain < -self.points(self.limits.tolerance):
            return "worse"
        if not self.changed:
            return "same"
        if self.p_gain < LEVEL and gain > 0:
            return "better"
        return "no worse" if self._reach <= self.points(self.limits.resolution) else "undecided"

    @property
    def _reach(self) -> float:
        """How far the interval reaches to either side."""
        return (self.difference.high - self.difference.low) / 2

    def sentence(self) -> str:
        """Where the score was, where it is, and what that says."""
        new, old, verdict = self.new.value, self.old.value, self.verdict
        if verdict == "same":
            rows = "the answer" if self.rows == 1 else f"all {self.rows:,} answers"
            return f"{show(new, precision(new))}: {rows} as before"
        if not (math.isfinite(new) and math.isfinite(old)):
            return f"{show(old)} before and {show(new)} now: there is nothing to compare"
        digits = precision(new, old, *self.difference.span)
        value, low, high = self.difference.span
        moved = "fell" if value < 0 else "rose" if value > 0 else "stayed"
        where = f"at {show(new, digits)}" if moved == "stayed" else (
            f"from {show(old, digits)} to {show(new, digits)}"
        )  # fmt: skip
        apart = f"{'+' if value > 0 else ''}{show(value, digits)} {bounds(low, high, digits)}"
        return f"{moved} {where}: {apart}{self._what_it_says(verdict)}"

    def _what_it_says(self, verdict: Verdict) -> str:
        tolerance = self.points(self.limits.tolerance)
        if verdict == "worse":
            beyond = f", more than the tolerance of {tolerance:g}" if tolerance else ""
            return f", {p_text(self.p)}{beyond}"
        if verdict == "better":
            return f", {p_text(self.p_gain)}: better"
        if verdict == "no worse":
            return ": no certain loss" + (f" beyond {tolerance:g}" if tolerance else "")
        loss, items, reach = self.points(self.limits.resolution), self.difference.n, self._reach
        few = f": {counted(items, 'item')} cannot show a loss of {loss:g}"
        if not (math.isfinite(reach) and loss):
            return few
        return f"{few}; it takes about {math.ceil(items * (reach / loss) ** 2):,}"

    def points(self, loss: float) -> float:
        """A loss on the scale of the score, which may be percents."""
        return loss * abs(self.difference.scale)
