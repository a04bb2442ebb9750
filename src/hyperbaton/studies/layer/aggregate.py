"""A number made of means, with its interval, its test, and its value in every resample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton.stats import Bootstrap, interval, p_value
from hyperbaton.stats.correlation import row_correlations, row_ranks
from hyperbaton.stats.intervals import Method
from hyperbaton.stats.resample import resampled_sums

Floats = NDArray[np.float64]
FEWEST = 30
"""Items under which a mean weighs less among others, and a verdict is told to be a hint."""


class Aggregate(NamedTuple):
    """A value with its 95 % interval; `drawn` holds the value in every resample."""

    value: float
    low: float
    high: float
    drawn: Floats
    n: int
    """The items behind it."""
    method: Method = "bca-t"
    """How its interval is made; `wilson` says that it is a share."""
    scale: float = 1.0
    """How many times the number that the method is about, such as 100 for percents."""

    @classmethod
    def of(
        cls, value: float, drawn: Floats, n: int, method: Method = "bca-t", scale: float = 1.0
    ) -> Aggregate:
        """A value with the interval that its resamples give it."""
        found = interval(value / scale, drawn / scale, n, method=method)
        low, high = sorted((scale * found.low, scale * found.high))
        return cls(value, low, high, drawn, n, method, scale)

    @property
    def p(self) -> float:
        """Two-sided: can the value be 0?"""
        return self.p_against(0.0)

    def p_against(self, threshold: float) -> float:
        """Two-sided: can the value be the threshold?"""
        return p_value(
            self.value / self.scale,
            self.drawn / self.scale,
            self.n,
            threshold / self.scale,
            self.method,
        )

    def __neg__(self) -> Aggregate:
        return self.times(-1)

    def __sub__(self, other: Aggregate) -> Aggregate:
        """The difference, paired where both are resampled over the same items."""
        return gap(self, other)

    def __truediv__(self, other: Aggregate) -> Aggregate:
        """The ratio of two means, paired as their difference is; nothing over what is not above 0.

        Where a resample has nothing to divide by, the ratio has no interval.

        >>> drawn = np.linspace(0.9, 1.1, 99)
        >>> half, whole = Aggregate.of(1.0, drawn, 50), Aggregate.of(2.0, 2 * drawn**2, 50)
        >>> [round(end, 2) for end in (half / whole).span]
        [0.5, 0.46, 0.55]
        """
        if not other.value > 0:
            return NOTHING
        known = np.isnan(other.drawn) | (other.drawn > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn = np.where(known, self.drawn / other.drawn, np.inf)
        return Aggregate.of(self.value / other.value, drawn, min(self.n, other.n))

    @property
    def span(self) -> tuple[float, float, float]:
        """The value with both ends of its interval."""
        return self.value, self.low, self.high

    def as_share(self) -> Aggregate:
        """The same with an interval for shares, which claims no certainty at 0 or 1.

        >>> none = Aggregate.of(0.0, np.zeros(1000), 100)
        >>> (none.high, round(none.as_share().high, 3))
        (nan, 0.038)
        """
        return self.by("wilson")

    def by(self, method: Method) -> Aggregate:
        """The same with an interval and a test by another method."""
        return Aggregate.of(self.value, self.drawn, self.n, method, self.scale)

    def within(self, least: float, most: float) -> Aggregate:
        """The same with an interval that leaves out what the number cannot be."""
        low, high = np.clip((self.low, self.high), least, most).tolist()
        return self._replace(low=low, high=high)

    def times(self, factor: float) -> Aggregate:
        """So many times the number, as for percents."""
        low, high = sorted((factor * self.low, factor * self.high))
        drawn, scale = factor * self.drawn, factor * self.scale
        return Aggregate(factor * self.value, low, high, drawn, self.n, self.method, scale)

    def above(self, least: float) -> Aggregate:
        """By how much it lies above another number."""
        ends = self.value - least, self.low - least, self.high - least
        return Aggregate(*ends, self.drawn - least, self.n)

    def below(self, most: float) -> Aggregate:
        """By how much it lies below another number."""
        ends = most - self.value, most - self.high, most - self.low
        return Aggregate(*ends, most - self.drawn, self.n)

    def spread(self, name: str) -> dict[str, float]:
        """The columns of a table that show it."""
        return {name: self.value, f"{name} low": self.low, f"{name} high": self.high}


NOTHING = Aggregate(np.nan, np.nan, np.nan, np.full(1, np.nan), 0)
"""A number over no items."""


def gap(one: Aggregate, other: Aggregate, times: float = 1.0) -> Aggregate:
    """One number minus so many times another; independent where their items differ."""
    shares = one.method == other.method == "wilson" and one.scale == times * other.scale
    return Aggregate.of(
        one.value - times * other.value,
        one.drawn - times * other.drawn,
        min(one.n, other.n),
        "agresti-min" if shares else "bca-t",
        one.scale if shares else 1.0,
    )


def average(found: Iterable[Aggregate]) -> Aggregate:
    """The mean of numbers, each with the same weight; those over no items do not count."""
    known = [one for one in found if np.isfinite(one.value)]
    if len(known) < 2:
        return known[0] if known else NOTHING
    drawn = np.mean([one.drawn for one in known], axis=0)
    value = float(np.mean([one.value for one in known]))
    kinds = {(one.method, one.scale) for one in known}
    kind = kinds.pop() if len(kinds) == 1 else ("bca-t", 1.0)
    return Aggregate.of(value, drawn, min(one.n for one in known), *kind)


def correlated(
    one: Sequence[Aggregate],
    other: Sequence[Aggregate],
    method: Method = "bca-t",
    ranked: bool = False,
) -> Aggregate:
    """Pearson's r of two rows of numbers or Spearman's ρ, in the data and in every resample."""

    def r(*sides: Floats) -> Floats:
        return row_correlations(*(map(row_ranks, sides) if ranked else sides))

    value = r(*(np.array([[each.value for each in row]]) for row in (one, other)))
    drawn = r(*(np.stack([each.drawn for each in row], axis=1) for row in (one, other)))
    return Aggregate.of(float(value[0]), drawn, min(each.n for each in (*one, *other)), method)


def combined(terms: Sequence[tuple[Aggregate, float]]) -> Aggregate:
    """A weighted sum of numbers, paired where they are resampled over the same items."""
    if not terms:
        return NOTHING
    value = sum(weight * one.value for one, weight in terms)
    drawn = sum(np.asarray(weight * one.drawn) for one, weight in terms)
    return Aggregate.of(value, np.asarray(drawn), min(one.n for one, _ in terms))


def of_sums(table: Floats, function: Callable[[Floats], Floats], bootstrap: Bootstrap) -> Aggregate:
    """A function of the summed rows of a table, in the data and in every resample.

    A row that adds nothing is no item behind the number.
    """
    if not len(table):
        return NOTHING
    items = int((table != 0).any(axis=1).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        sums = resampled_sums(table, bootstrap.resamples, bootstrap.seed)
        value = float(np.asarray(function(table.sum(axis=0, keepdims=True))).reshape(-1)[0])
        return Aggregate.of(value, np.asarray(function(sums)).reshape(-1), items)


def mean_of_known(rows: Floats, weights: Floats | None = None) -> Floats:
    """The mean of each row over what is not NaN, each column with its weight."""
    known = ~np.isnan(rows)
    weighed = known if weights is None else known * weights
    with np.errstate(invalid="ignore"):
        return np.asarray((np.where(known, rows, 0) * weighed).sum(axis=1) / weighed.sum(axis=1))
