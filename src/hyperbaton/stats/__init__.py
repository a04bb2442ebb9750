"""Statistics: bootstrap intervals, randomisation tests, correlations, corrections."""

from hyperbaton.stats.bootstrap import (
    Bootstrap,
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
    spearman,
)
from hyperbaton.stats.describe import Moments, moments, skewness
from hyperbaton.stats.extremes import Lead, leads
from hyperbaton.stats.intervals import interval, p_value
from hyperbaton.stats.multiplicity import holm
from hyperbaton.stats.randomisation import Randomisation, RandomisationTest, randomisation_test
from hyperbaton.stats.results import Comparison, Estimate, Interval
from hyperbaton.stats.scoring import Score, by_group, grouped
from hyperbaton.stats.verdicts import Claim, Verdict, verdicts

__all__ = [
    "Bootstrap",
    "Claim",
    "Comparison",
    "Correlation",
    "Estimate",
    "Interval",
    "Lead",
    "Moments",
    "Randomisation",
    "RandomisationTest",
    "Score",
    "Verdict",
    "band",
    "by_group",
    "compare",
    "defined_pairs",
    "estimate",
    "estimates",
    "grouped",
    "holm",
    "interval",
    "leads",
    "mean",
    "means",
    "moments",
    "p_value",
    "pearson",
    "randomisation_test",
    "ratios",
    "skewness",
    "spearman",
    "verdicts",
]
