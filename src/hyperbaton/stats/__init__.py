"""Statistics: bootstrap intervals, tests, correlations, corrections for many claims."""

from hyperbaton.stats.bootstrap import (
    Bootstrap,
    Score,
    compare,
    estimate,
    estimates,
    mean,
    means,
    ratios,
)
from hyperbaton.stats.correlation import (
    Correlation,
    band,
    defined_pairs,
    pearson,
    rank_correlations,
    spearman,
)
from hyperbaton.stats.intervals import holm, interval, p_value
from hyperbaton.stats.results import Comparison, Estimate, Interval

__all__ = [
    "Bootstrap",
    "Comparison",
    "Correlation",
    "Estimate",
    "Interval",
    "Score",
    "band",
    "compare",
    "defined_pairs",
    "estimate",
    "estimates",
    "holm",
    "interval",
    "mean",
    "means",
    "p_value",
    "pearson",
    "rank_correlations",
    "ratios",
    "spearman",
]
