"""Correlations with their resamples, drawn over items: ranks, and r of rows that hang together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from hyperbaton.stats.correlation import rank_correlations
from hyperbaton.stats.resample import count_vectors
from hyperbaton.studies.layer.aggregate import NOTHING, Aggregate, Floats, mean_of_known

__all__ = [
    "moments_r",
    "rank_correlation",
    "row_moments",
]

_MOST = 20_000
"""Values that a correlation is resampled over; of more, an even choice is taken."""
_FEWEST = 4
"""Sentences that a correlation needs."""


def rank_correlation(
    columns: Iterable[tuple[Floats, Floats, Sequence[str]]], per_item: int = 1
) -> Aggregate:
    """The mean of Spearman's ρ over pairs of columns, each with the sentences of its items.

    An item has `per_item` values in a row. Whole sentences are resampled, with all that belongs
    to them in all columns: a sentence that two systems translated counts once.
    """
    known = [
        (a, b, sentences, np.flatnonzero(np.isfinite(a) & np.isfinite(b)))
        for a, b, sentences in columns
    ]
    places: dict[str, int] = {}
    owners = [
        np.array(
            [places.setdefault(some[i], len(places)) for i in (there // per_item).tolist()], np.intp
        )
        for _, _, some, there in known
    ]
    step = max(1, -(-len(places) * per_item // _MOST))
    size = -(-len(places) // step)
    values, drawn = [], []
    for (a, b, _, there), owner in zip(known, owners, strict=True):
        chosen = owner % step == 0
        x, y, mine = a[there[chosen]], b[there[chosen]], owner[chosen] // step
        if len(np.unique(mine)) < _FEWEST:
            continue
        values.append(rank_correlations(np.ones((1, len(x))), x, y)[0])
        counts = count_vectors(size, 1000, 12345)
        drawn.append(np.concatenate([rank_correlations(some[:, mine], x, y) for some in counts]))
    if not values:
        return NOTHING
    all_drawn = mean_of_known(np.stack(drawn, axis=1))
    value = float(mean_of_known(np.array([values]))[0])
    return Aggregate.of(value, all_drawn, size).within(-1, 1)


def row_moments(x: Floats, y: Floats) -> Floats:
    """What r needs of each row, centred so that no digits cancel."""
    u, v = x - x.mean(), y - y.mean()
    parts = (np.ones_like(u), u, v, u * u, v * v, u * v)
    return np.stack([part.sum(axis=1) for part in parts], axis=1)


def moments_r(sums: Floats) -> Floats:
    """r of summed moments."""
    n, u, v, uu, vv, uv = sums.T
    spread = (uu - u * u / n) * (vv - v * v / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (uv - u * v / n) / np.sqrt(np.where(spread > 1e-18 * n * n, spread, np.nan))
    return np.asarray(np.clip(r, -1, 1))
