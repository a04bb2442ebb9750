"""Pearson and Spearman correlation, each with an interval, a one-tailed test and Schober's band."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats.bootstrap import Bootstrap, estimate
from hyperbaton.stats.distributions import ndtri, stdtr
from hyperbaton.stats.intervals import interval as interval_of
from hyperbaton.stats.resample import FloatArray, Indices, count_vectors
from hyperbaton.stats.results import Interval, checked_level

Alternative = Literal["greater", "less", "two-sided"]
Band = Literal["negligible", "weak", "moderate", "strong", "very strong", "undefined"]
_BANDS: tuple[tuple[float, Band], ...] = (
    (0.10, "negligible"),
    (0.40, "weak"),
    (0.70, "moderate"),
    (0.90, "strong"),
)


@dataclass(frozen=True)
class Correlation:
    """r over n pairs; `p` tests H1: r > 0 unless another alternative is named.

    Where one side is constant r, p and the interval are NaN and the band is `undefined`.
    """

    r: float
    n: int
    p: float
    interval: Interval
    band: Band
    kind: Literal["pearson", "spearman"]
    alternative: Alternative = "greater"


def band(r: float) -> Band:
    """The strength of a correlation after Schober, Boer & Schwarte (2018), by |r|.

    >>> band(0.269), band(-0.82), band(0.95)
    ('weak', 'strong', 'very strong')
    """
    if np.isnan(r):
        return "undefined"
    return next((name for bound, name in _BANDS if abs(r) < bound), "very strong")


def pearson(
    x: ArrayLike,
    y: ArrayLike,
    alternative: Alternative = "greater",
    interval: float | Bootstrap = 0.95,
) -> Correlation:
    """Pearson's r; the interval is Fisher's at a level, or drawn by a bootstrap over the pairs.

    >>> found = pearson([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])
    >>> round(found.r, 3), round(found.p, 4), found.band
    (0.8, 0.052, 'strong')
    """
    a, b = _checked(x, y)
    r = _r(a, b)
    if isinstance(interval, Bootstrap):
        span = estimate(moments(a, b), r_of_moments, interval).interval
    else:
        span = _fisher(r, 1 / (len(a) - 3) if len(a) > 3 else np.inf, interval)
    return Correlation(r, len(a), _p(r, len(a), alternative), span, band(r), "pearson", alternative)


def spearman(
    x: ArrayLike,
    y: ArrayLike,
    alternative: Alternative = "greater",
    interval: float | Bootstrap = 0.95,
) -> Correlation:
    """Spearman's ρ, ties at their mean rank; Fisher's interval has Bonett & Wright's variance.

    >>> spearman([1, 2, 3, 4], [10, 20, 25, 1000]).r
    1.0
    """
    a, b = _checked(x, y)
    r = _r(ranks(a), ranks(b))
    if isinstance(interval, Bootstrap):
        span = _rank_bootstrap(a, b, r, interval)
    else:
        variance = (1 + r**2 / 2) / (len(a) - 3) if len(a) > 3 else np.inf
        span = _fisher(r, variance, interval)
    p = _p(r, len(a), alternative)
    return Correlation(r, len(a), p, span, band(r), "spearman", alternative)


def defined_pairs(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The pairs in which both values are finite numbers.

    >>> defined_pairs([1, float("nan"), 3], [4, 5, 6])
    (array([1., 3.]), array([4., 6.]))
    """
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    _same_length(a, b)
    known = np.isfinite(a) & np.isfinite(b)
    return a[known], b[known]


def _same_length(a: FloatArray, b: FloatArray) -> None:
    if a.ndim != 1 or a.shape != b.shape:
        raise HyperbatonError(
            f"a correlation takes two lists of the same length, not {a.shape} and {b.shape}"
        )


def _checked(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    _same_length(a, b)
    if len(a) < 3:
        raise HyperbatonError(f"a correlation needs at least 3 pairs, not {len(a)}")
    finite = np.isfinite(a) & np.isfinite(b)
    if not finite.all():
        raise HyperbatonError(
            f"pair {np.argmin(finite)} holds a value that is not a finite number: "
            "keep the defined pairs only (defined_pairs)"
        )
    return a, b


def _r(a: FloatArray, b: FloatArray) -> float:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    u, v = a - a.mean(), b - b.mean()
    # Scaled before they are multiplied, so that neither tiny nor huge values leave the range.
    u, v = u / np.abs(u).max(), v / np.abs(v).max()
    r = np.dot(u / np.linalg.norm(u), v / np.linalg.norm(v))
    return float(np.clip(r, -1, 1))


def _p(r: float, n: int, alternative: Alternative) -> float:
    """Student's t with n − 2 degrees of freedom: t = r·√((n−2)/(1−r²))."""
    if alternative not in ("greater", "less", "two-sided"):
        raise HyperbatonError(f"the alternative is greater, less or two-sided, not {alternative}")
    if np.isnan(r):
        return float("nan")
    with np.errstate(divide="ignore"):
        t = r * np.sqrt(np.float64(n - 2) / ((1 - r) * (1 + r)))
    if alternative == "two-sided":
        return float(min(1.0, 2 * stdtr(n - 2, -abs(t))))
    return float(stdtr(n - 2, -t if alternative == "greater" else t))


def _fisher(r: float, variance: float, level: float) -> Interval:
    checked_level(level)
    if np.isnan(r):
        return Interval(np.nan, np.nan, level)
    if abs(r) == 1 and np.isfinite(variance):
        return Interval(r, r, level)
    reach = float(ndtri((1 + level) / 2)) * np.sqrt(variance)
    with np.errstate(divide="ignore"):
        z = np.arctanh(r) if np.isfinite(variance) else 0.0
    return Interval(float(np.tanh(z - reach)), float(np.tanh(z + reach)), level)


def moments(a: FloatArray, b: FloatArray) -> FloatArray:
    """What r needs of each pair, or of each row of pairs, so that rows add up.

    The values are centred and scaled first, so that no digits cancel.
    """
    u, v = (side - side.mean() for side in (a, b))
    u, v = (side / (np.abs(side).max() or 1) for side in (u, v))
    parts = np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=1)
    return parts.sum(axis=2) if parts.ndim == 3 else parts


def r_of_moments(sums: FloatArray) -> FloatArray:
    """Pearson's r of summed moments."""
    n, u, v, uu, vv, uv = sums.T
    spread = (uu - u * u / n) * (vv - v * v / n)
    # A resample of one repeated pair has no r; rounding must not give it one.
    flat = spread <= 1e-24 * n * n
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (uv - u * v / n) / np.sqrt(np.where(flat, np.nan, spread))
    return np.asarray(np.clip(r, -1, 1))


def _rank_bootstrap(a: FloatArray, b: FloatArray, r: float, bootstrap: Bootstrap) -> Interval:
    if bootstrap.method not in ("percentile", "bca-t"):
        raise HyperbatonError("Spearman's interval is drawn by the method bca-t or percentile")
    drawn = np.concatenate(
        [
            rank_correlations(counts, a, b)
            for counts in count_vectors(len(a), bootstrap.resamples, bootstrap.seed)
        ]
    )
    return interval_of(r, drawn, len(a), bootstrap.level, bootstrap.method)


def ranks(values: FloatArray) -> FloatArray:
    """1 for the smallest; equal values share the mean of their ranks.

    >>> ranks(np.array([20.0, 10.0, 20.0, 30.0]))
    array([2.5, 1. , 2.5, 4. ])
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def row_ranks(values: FloatArray) -> FloatArray:
    """The same for each row by itself.

    >>> row_ranks(np.array([[3.0, 1.0, 3.0], [1.0, 2.0, 3.0]])).tolist()
    [[2.5, 1.0, 2.5], [1.0, 2.0, 3.0]]
    """
    ordered = np.argsort(values, axis=1, kind="stable")
    along = np.take_along_axis(values, ordered, axis=1)
    size = np.arange(values.shape[1])
    begins = np.ones(values.shape, dtype=bool)
    begins[:, 1:] = along[:, 1:] != along[:, :-1]
    first = np.maximum.accumulate(np.where(begins, size, 0), axis=1)
    ends = np.ones(values.shape, dtype=bool)
    ends[:, :-1] = begins[:, 1:]
    after = np.where(ends, size, values.shape[1])[:, ::-1]
    last = np.minimum.accumulate(after, axis=1)[:, ::-1]
    found = np.empty(values.shape)
    np.put_along_axis(found, ordered, (first + last) / 2 + 1, axis=1)
    # As elsewhere, nothing is known of a row with a gap.
    found[np.isnan(values).any(axis=1)] = np.nan
    return found


def row_correlations(a: FloatArray, b: FloatArray) -> FloatArray:
    """Pearson's r of each row of one table with the same row of the other, or with its only one.

    >>> row_correlations(np.array([[1.0, 2, 3], [3, 2, 1], [1, 1, 1]]), np.array([[1.0, 2, 3]]))
    array([ 1., -1., nan])
    """
    flat = (np.ptp(a, axis=1) == 0) | (np.ptp(b, axis=1) == 0)
    u, v = (side - side.mean(axis=1, keepdims=True) for side in (a, b))
    spread = np.sqrt((u * u).sum(axis=1) * (v * v).sum(axis=1))
    r = (u * v).sum(axis=1) / np.where(flat, np.nan, spread)
    return np.asarray(np.clip(r, -1, 1))


def rank_correlations(
    counts: FloatArray, a: FloatArray, b: FloatArray, owners: Indices | None = None
) -> FloatArray:
    """Spearman's ρ of each resample, given how often it drew each pair (resamples × pairs).

    Where pairs are drawn together, `owners` says to which column of the counts each belongs.
    """
    from hyperbaton.stats.resampled_ranks import resampled_rhos

    # One kind of array, so that one kernel is compiled.
    counts = counts.view()
    counts.flags.writeable = False
    whose = np.arange(len(a)) if owners is None else owners
    return resampled_rhos(counts, whose, _ascending(a), _ascending(b))


def _ascending(values: FloatArray) -> tuple[Indices, Indices]:
    """The places of values from the smallest on, and the number of the value there."""
    _, numbers = np.unique(values, return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    return order, numbers[order]
