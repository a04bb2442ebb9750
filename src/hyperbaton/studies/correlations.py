"""Correlations with their resamples, drawn over items: ranks, and r of rows that hang together."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from hyperbaton.stats import Bootstrap, Correlation, Estimate, Interval, estimate, pearson
from hyperbaton.stats.rank import rank_correlations
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.aggregates import NOTHING, Aggregate, Floats, mean_of_known

__all__ = ["Strength", "rank_correlation", "row_correlation", "t_statistic"]

_MOST = 20_000
"""Items that a correlation is resampled over; of more, an even choice is taken."""


def rank_correlation(pairs: Iterable[tuple[Floats, Floats]], per_item: int = 1) -> Aggregate:
    """The mean of Spearman's ρ over pairs of columns, each of which has its own items.

    An item has `per_item` values in a row, which are resampled together. Columns with the same
    gaps share their resamples, so that differences are paired.
    """
    values, drawn, total = [], [], 0
    for a, b in pairs:
        known = np.flatnonzero(np.isfinite(a) & np.isfinite(b))
        owner = np.unique(known // per_item, return_inverse=True)[1]
        chosen = owner % max(1, -(-len(known) // _MOST)) == 0
        known, owner = known[chosen], np.unique(owner[chosen], return_inverse=True)[1]
        size = int(owner.max(initial=-1)) + 1
        if size < 4:
            continue
        total += size
        values.append(rank_correlations(np.ones((1, len(known))), a[known], b[known])[0])
        drawn.append(
            np.concatenate(
                [
                    rank_correlations(counts[:, owner], a[known], b[known])
                    for counts in count_vectors(size, 1000, 12345)
                ]
            )
        )
    if not values:
        return NOTHING
    all_drawn = mean_of_known(np.stack(drawn, axis=1))
    return Aggregate.of(float(mean_of_known(np.array([values]))[0]), all_drawn, total)


@dataclass(frozen=True)
class Strength:
    """r with its one-tailed test, and an interval that is drawn over rows.

    The observations of a row hang together, so p and the textbook interval claim more than there
    is; `estimate` resamples whole rows.
    """

    found: Correlation
    t: float
    estimate: Estimate

    @property
    def interval(self) -> Interval:
        """The interval over rows."""
        return self.estimate.interval


def row_correlation(x: Floats, y: Floats, bootstrap: Bootstrap | None = None) -> Strength | None:
    """r over all observations, rows × columns; None where fewer than three are left."""
    if x.size < 3:
        return None
    found = pearson(x.ravel(), y.ravel())
    drawn = replace(estimate(_moments(x, y), _r, bootstrap), value=found.r)
    return Strength(found, t_statistic(found.r, found.n), drawn)


def t_statistic(r: float, n: int) -> float:
    """t = r·√((n − 2) / (1 − r²)).

    >>> round(t_statistic(0.2686, 11982), 2), t_statistic(float("nan"), 10)
    (30.52, nan)
    """
    if math.isnan(r):
        return r
    return r * math.sqrt((n - 2) / (1 - r * r)) if abs(r) < 1 else math.copysign(math.inf, r)


def _moments(x: Floats, y: Floats) -> Floats:
    """What r needs of each row, centred so that no digits cancel."""
    u, v = x - x.mean(), y - y.mean()
    parts = (np.ones_like(u), u, v, u * u, v * v, u * v)
    return np.stack([part.sum(axis=1) for part in parts], axis=1)


def _r(sums: Floats) -> Floats:
    n, u, v, uu, vv, uv = sums.T
    spread = (uu - u * u / n) * (vv - v * v / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (uv - u * v / n) / np.sqrt(np.where(spread > 1e-18 * n * n, spread, np.nan))
    return np.asarray(np.clip(r, -1, 1))
