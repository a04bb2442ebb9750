"""One score in two runs, and what can be said of the difference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hyperbaton.base.wording import counted
from hyperbaton.report.numbers import bounds, p_text, precision, show
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.claims import LEVEL
from hyperbaton.studies.layer.experiment import Score

Verdict = Literal["worse", "undecided", "better", "no worse", "same"]


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
