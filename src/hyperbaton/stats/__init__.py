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
from hyperbaton.stats.multiplicity import holm
from hyperbaton.stats.randomisation import Randomisation, RandomisationTest, randomisation_test
from hyperbaton.stats.results import Comparison, Estimate, Interval
from hyperbaton.stats.scoring import Score, by_group, grouped

__all__ = [
    "Bootstrap",
    "Comparison",
    "Correlation",
    "Estimate",
    "Interval",
    "Moments",
    "Randomisation",
    "RandomisationTest",
    "Score",
    "band",
    "by_group",
    "compare",
    "defined_pairs",
    "estimate",
    "estimates",
    "grouped",
    "holm",
    "mean",
    "means",
    "moments",
    "pearson",
    "randomisation_test",
    "ratios",
    "skewness",
    "spearman",
]
