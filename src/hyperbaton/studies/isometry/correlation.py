"""Does surface similarity go with S? Both procedures of the paper, which do not give the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hyperbaton.stats import Bootstrap, Correlation, Interval, estimate, pearson
from hyperbaton.studies.isometry.judged import Judged

__all__ = ["PROCEDURES", "Procedure", "Strength", "correlate", "t_statistic"]

Procedure = Literal["majority", "pooled"]
PROCEDURES: dict[Procedure, str] = {
    "majority": "text: the majority's labels, ∅ removed, both sides pooled",
    "pooled": "table: every detector's own labels, nothing removed, both sides pooled",
}
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Strength:
    """r with its one-tailed test, and an interval that is drawn over pairs.

    The observations of a pair (its two sides, each with several labels) hang together, so p and
    the textbook interval claim more than there is; `interval` resamples whole pairs.
    """

    procedure: Procedure
    found: Correlation
    t: float
    interval: Interval


def t_statistic(r: float, n: int) -> float:
    """t = r·√((n − 2) / (1 − r²)).

    >>> round(t_statistic(0.2686, 11982), 2), t_statistic(float("nan"), 10)
    (30.52, nan)
    """
    if math.isnan(r):
        return r
    return r * math.sqrt((n - 2) / (1 - r * r)) if abs(r) < 1 else math.copysign(math.inf, r)


def correlate(
    judged: Judged, metric: str, procedure: Procedure, bootstrap: Bootstrap | None = None
) -> Strength | None:
    """r of similarity and label, or None where fewer than three observations are left."""
    similarity, labels = _observations(judged, metric, procedure)
    x, y = similarity.ravel(), labels.ravel()
    if len(x) < 3:
        return None
    found = pearson(x, y)
    sums = _moments(similarity, labels)
    interval = estimate(sums, _r, bootstrap).interval
    return Strength(procedure, found, t_statistic(found.r, found.n), interval)


def _observations(
    judged: Judged, metric: str, procedure: Procedure
) -> tuple[FloatArray, FloatArray]:
    """Similarities and labels, one row a pair."""
    values = judged.similarity(metric)
    if procedure == "majority":
        return values[judged.votes.decided], judged.votes.labels().astype(np.float64)
    detectors = len(judged.detectors)
    spread = np.repeat(values[:, None, :], detectors, axis=1)
    rows = len(judged)
    return spread.reshape(rows, -1), judged.labels.reshape(rows, -1).astype(np.float64)


def _moments(x: FloatArray, y: FloatArray) -> FloatArray:
    """What r needs of each pair, centred so that no digits cancel."""
    u, v = x - x.mean(), y - y.mean()
    parts = (np.ones_like(u), u, v, u * u, v * v, u * v)
    return np.stack([part.sum(axis=1) for part in parts], axis=1)


def _r(sums: FloatArray) -> FloatArray:
    n, u, v, uu, vv, uv = sums.T
    spread = (uu - u * u / n) * (vv - v * v / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (uv - u * v / n) / np.sqrt(np.where(spread > 1e-18 * n * n, spread, np.nan))
    return np.asarray(np.clip(r, -1, 1))
