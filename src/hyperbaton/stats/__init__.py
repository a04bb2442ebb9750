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
from hyperbaton.stats.claims import Claim, Lead, Verdict, holm, leads, verdicts
from hyperbaton.stats.correlation import (
    Correlation,
    band,
    defined_pairs,
    pearson,
    rank_correlations,
    spearman,
)
from hyperbaton.stats.describe import Moments, moments
from hyperbaton.stats.intervals import interval, p_value
from hyperbaton.stats.results import Comparison, Estimate, Interval

__all__ = [
    "Bootstrap",
    "Claim",
    "Comparison",
    "Correlation",
    "Estimate",
    "Interval",
    "Lead",
    "Moments",
    "Score",
    "Verdict",
    "band",
    "compare",
    "defined_pairs",
    "estimate",
    "estimates",
    "holm",
    "interval",
    "leads",
    "mean",
    "means",
    "moments",
    "p_value",
    "pearson",
    "rank_correlations",
    "ratios",
    "spearman",
    "verdicts",
]
