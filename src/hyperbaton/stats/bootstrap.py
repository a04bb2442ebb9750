"""Paired bootstrap over items: intervals of any score that is a function of summed statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Spec
from hyperbaton.stats.intervals import Method, interval
from hyperbaton.stats.resample import FloatArray, resampled_sums
from hyperbaton.stats.results import Comparison, Estimate, checked_level

Score = Callable[[FloatArray], NDArray[np.float64]]
"""From summed statistics, one row per resample, to one score per row, or several."""


@dataclass(frozen=True)
class Bootstrap(Spec):
    """How intervals are drawn; printed in the signature of every number that has one.

    >>> print(Bootstrap()), print(Bootstrap(resamples=10_000, method="percentile"))
    bootstrap
    bootstrap(resamples=10000, method=percentile)
    (None, None)

    `bca-t` corrects for bias, skew and few items; `wilson` is for shares, `agresti-min` for their
    differences; `percentile` is what sacreBLEU prints.
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
    return _resampled(_table(statistics), score, bootstrap or Bootstrap())[0]


def _resampled(
    rows: FloatArray, score: Score, bootstrap: Bootstrap, methods: Sequence[Method] = ()
) -> tuple[tuple[Estimate, ...], FloatArray]:
    scores = _scored(score, resampled_sums(rows, bootstrap.resamples, bootstrap.seed))
    values = _scored(score, rows.sum(axis=0, keepdims=True))[0]
    how = methods or [bootstrap.method] * len(values)
    made = []
    for value, column, method in zip(values, scores.T, how, strict=True):
        span = interval(float(value), column, len(rows), bootstrap.level, method)
        known = column[~np.isnan(column)]
        centre, spread = np.nan, np.nan
        if not np.isnan(span.low):
            centre, spread = float(known.mean()), float(known.std())
        undefined = len(column) - len(known)
        made.append(Estimate(float(value), span, centre, spread, len(rows), undefined))
    return tuple(made), scores


def ratios(sums: FloatArray) -> FloatArray:
    """Numerators over denominators, the columns of which stand in pairs; 0 / 0 is undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[:, 0::2] / sums[:, 1::2])


def mean(values: ArrayLike, bootstrap: Bootstrap | None = None) -> Estimate:
    """The mean of one value per item; NaN stands for an item without a value.

    >>> mean([1.0, 2.0, float("nan"), 6.0]).value
    3.0
    """
    rows = _table_with_gaps(values)
    if rows.shape[1] != 1:
        raise HyperbatonError(f"{rows.shape[1]} values per item: call means for several columns")
    return means(rows, bootstrap)[0]


def means(values: ArrayLike, bootstrap: Bootstrap | None = None) -> tuple[Estimate, ...]:
    """The mean of each column over the items that have a value there, on the same resamples."""
    rows = _table_with_gaps(values)
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
    one, two = _paired(first, second)

    def three(sums: FloatArray) -> FloatArray:
        a = _scored(score, sums[:, : one.shape[1]])
        b = _scored(score, sums[:, one.shape[1] :])
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


def _scored(score: Score, sums: FloatArray) -> FloatArray:
    """The scores of each row of sums, always as rows × scores."""
    values = np.asarray(score(sums), dtype=np.float64)
    if values.shape[:1] != (len(sums),):
        raise HyperbatonError(
            f"the score function must give a row for each of {len(sums)} rows of sums, "
            f"not an array of shape {values.shape}"
        )
    return values.reshape(len(sums), -1)


def _table_with_gaps(values: ArrayLike) -> FloatArray:
    """Items × columns in which NaN stands for a value that an item does not have."""
    try:
        rows = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise HyperbatonError(
            "the statistics must be a table of numbers with the same columns for every item"
        ) from None
    if rows.ndim == 1:
        rows = rows[:, None]
    if rows.ndim != 2:
        raise HyperbatonError(
            f"the statistics must be items × columns, not an array of {rows.ndim} dimensions"
        )
    if not len(rows):
        raise HyperbatonError("there are no items to resample")
    if np.isinf(rows).any():
        item, column = np.argwhere(np.isinf(rows))[0]
        raise HyperbatonError(f"item {item} holds an infinite value (column {column})")
    return rows


def _table(statistics: ArrayLike) -> FloatArray:
    """Items × columns without a gap."""
    rows = _table_with_gaps(statistics)
    if np.isnan(rows).any():
        item, column = np.argwhere(np.isnan(rows))[0]
        raise HyperbatonError(
            f"the statistics of item {item} hold a NaN (column {column}): "
            "leave such items out or use a mean, which counts them as undefined"
        )
    return rows


def _paired(first: ArrayLike, second: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two tables over the same items, or an error that says how they differ."""
    one, two = _table(first), _table(second)
    if one.shape != two.shape:
        raise HyperbatonError(
            f"the two systems must cover the same items: {one.shape[0]} items × {one.shape[1]} "
            f"statistics against {two.shape[0]} × {two.shape[1]}"
        )
    return one, two
