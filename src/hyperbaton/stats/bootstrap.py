"""Paired bootstrap over items: intervals of any score that is a function of summed statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import ArrayLike

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Spec
from hyperbaton.stats.bca import bca_tails
from hyperbaton.stats.intervals import Method, interval
from hyperbaton.stats.resample import FloatArray, resampled_sums
from hyperbaton.stats.results import Comparison, Estimate, Interval, checked_level
from hyperbaton.stats.scoring import Score, scored
from hyperbaton.stats.tables import paired, table, table_with_gaps

__all__ = ["Bootstrap", "Score", "compare", "estimate", "estimates", "mean", "means", "ratios"]


@dataclass(frozen=True)
class Bootstrap(Spec):
    """How intervals are drawn; printed in the signature of every number that has one.

    >>> print(Bootstrap()), print(Bootstrap(resamples=10_000, method="bca"))
    bootstrap
    bootstrap(resamples=10000, method=bca)
    (None, None)

    `bca-t` corrects for bias, skew and few items; `wilson` is for shares, `agresti-min` for their
    differences; `percentile` is what sacreBLEU prints; `bca` is Efron's, as in scipy.
    """

    name: ClassVar[str] = "bootstrap"
    resamples: int = 1000
    level: float = 0.95
    seed: int = 12345
    method: Method = "bca-t"

    def __post_init__(self) -> None:
        checked_level(self.level)
        if self.resamples < 1:
            raise HyperbatonError(f"a bootstrap needs at least 1 resample, not {self.resamples}")
        if self.seed < 0:
            raise HyperbatonError(f"a seed is a whole number of at least 0, not {self.seed}")
        if self.method not in get_args(Method):
            known = ", ".join(get_args(Method))
            raise HyperbatonError(f"the method is one of {known}, not {self.method}")

    @property
    def signature(self) -> str:
        """Everything that the interval depends on."""
        return f"bs:{self.resamples}|rs:{self.seed}|ci:{self.level:g}|method:{self.method}"


def estimate(statistics: ArrayLike, score: Score, bootstrap: Bootstrap | None = None) -> Estimate:
    """One score with its interval.

    >>> matches_and_totals = [[3, 4], [1, 4], [4, 4], [2, 4]] * 5
    >>> accuracy = estimate(matches_and_totals, lambda sums: sums[:, 0] / sums[:, 1])
    >>> accuracy.value, accuracy.interval
    (0.625, Interval(low=0.4875, high=0.7625, level=0.95))
    """
    found = estimates(statistics, score, bootstrap)
    if len(found) != 1:
        raise HyperbatonError(
            f"the score gives {len(found)} values per row: call estimates instead"
        )
    return found[0]


def estimates(
    statistics: ArrayLike, score: Score, bootstrap: Bootstrap | None = None
) -> tuple[Estimate, ...]:
    """All the scores that one function makes of the same sums, on the same resamples."""
    return _resampled(table(statistics), score, bootstrap or Bootstrap())[0]


def _resampled(
    rows: FloatArray, score: Score, bootstrap: Bootstrap, methods: Sequence[Method] = ()
) -> tuple[tuple[Estimate, ...], FloatArray]:
    scores = scored(score, resampled_sums(rows, bootstrap.resamples, bootstrap.seed))
    values = scored(score, rows.sum(axis=0, keepdims=True))[0]
    if bootstrap.method == "bca":
        tails = bca_tails(rows, score, values, scores, bootstrap.level)
        spans = [
            _between(column, tail, len(rows), bootstrap.level)
            for column, tail in zip(scores.T, tails, strict=True)
        ]
    else:
        spans = [
            interval(float(value), column, len(rows), bootstrap.level, method)
            for value, column, method in zip(
                values, scores.T, methods or [bootstrap.method] * len(values), strict=True
            )
        ]
    found = tuple(
        _summary(float(value), column, span, len(rows))
        for value, column, span in zip(values, scores.T, spans, strict=True)
    )
    return found, scores


def ratios(sums: FloatArray) -> FloatArray:
    """Numerators over denominators, the columns of which stand in pairs; 0 / 0 is undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[:, 0::2] / sums[:, 1::2])


def mean(values: ArrayLike, bootstrap: Bootstrap | None = None) -> Estimate:
    """The mean of one value per item; NaN stands for an item without a value.

    >>> mean([1.0, 2.0, float("nan"), 6.0]).value
    3.0
    """
    rows = table_with_gaps(values)
    if rows.shape[1] != 1:
        raise HyperbatonError(f"{rows.shape[1]} values per item: call means for several columns")
    return means(rows, bootstrap)[0]


def means(values: ArrayLike, bootstrap: Bootstrap | None = None) -> tuple[Estimate, ...]:
    """The mean of each column over the items that have a value there, on the same resamples."""
    rows = table_with_gaps(values)
    known = ~np.isnan(rows)
    columns = np.empty((len(rows), 2 * rows.shape[1]))
    columns[:, 0::2] = np.where(known, rows, 0)
    columns[:, 1::2] = known
    return estimates(columns, ratios, bootstrap)


def compare(
    first: ArrayLike,
    second: ArrayLike,
    score: Score,
    bootstrap: Bootstrap | None = None,
) -> Comparison:
    """Two systems on the same resamples of the same items, and their difference.

    `p` is the share of resamples whose difference lies at least as far from the difference found
    as that lies from zero (two-sided, the resample itself counted in, so never 0).
    """
    one, two = paired(first, second)

    def three(sums: FloatArray) -> FloatArray:
        a = scored(score, sums[:, : one.shape[1]])
        b = scored(score, sums[:, one.shape[1] :])
        if a.shape[1] != 1:
            raise HyperbatonError("a comparison takes a score function with one score per row")
        return np.hstack([a, b, a - b])

    both = np.hstack([one, two])
    how = bootstrap or Bootstrap()
    # A difference of shares is no share.
    apart: Method = "agresti-min" if how.method == "wilson" else how.method
    methods = (how.method, how.method, apart)
    (a, b, difference), scores = _resampled(both, three, how, methods)
    return Comparison(a, b, difference, _centred_p(scores[:, 2], difference.value))


def _centred_p(drawn: FloatArray, found: float) -> float:
    drawn = drawn[~np.isnan(drawn)]
    if np.isnan(found) or not len(drawn):
        return float("nan")
    reach = abs(found) * (1 - 1e-12)  # a tie must not be lost to rounding
    return float((np.sum(np.abs(drawn - found) >= reach) + 1) / (len(drawn) + 1))


def _between(scores: FloatArray, tails: FloatArray, items: int, level: float) -> Interval:
    known = scores[~np.isnan(scores)]
    if items < 2 or not len(known):
        return Interval(np.nan, np.nan, level)
    low, high = np.quantile(known, tails)
    return Interval(float(low), float(high), level)


def _summary(value: float, scores: FloatArray, span: Interval, items: int) -> Estimate:
    known = scores[~np.isnan(scores)]
    undefined = len(scores) - len(known)
    if np.isnan(span.low):
        return Estimate(value, span, np.nan, np.nan, items, undefined)
    return Estimate(value, span, float(known.mean()), float(known.std()), items, undefined)
