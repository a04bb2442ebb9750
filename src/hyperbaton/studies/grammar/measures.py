"""The measures of the grammar paper, from scores and sufficient statistics alone.

x̃ is the corrected source and x the noisy one; ỹ and y are their translations. y is compared with
ỹ, x with x̃.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hyperbaton.metrics import Metric
from hyperbaton.metrics.metric import Level
from hyperbaton.stats import Bootstrap, Estimate, estimate, mean
from hyperbaton.stats.resample import FloatArray

__all__ = ["Noise", "robustness", "similarity"]

Floats = NDArray[np.float64]


def robustness(same: Floats, bootstrap: Bootstrap | None = None) -> Estimate:
    """RB: the share of pairs with y = ỹ, with its interval."""
    return mean(same, bootstrap)


def similarity(statistics: Floats, metric: Metric, bootstrap: Bootstrap | None = None) -> Estimate:
    """f-BLEU and its like: the corpus score of all y against ỹ."""
    return estimate(statistics, lambda sums: metric.from_statistics(sums, "corpus"), bootstrap)


@dataclass(frozen=True)
class Noise:
    """The noise ratio of some pairs: how much noisier the translation is than the source.

    1 − κ(y, ỹ) over 1 − κ(x, x̃), κ being BLEU or another similarity; above 1 the translator
    magnifies the noise. A pair with x = x̃ has no noise, so no ratio, and is left out.
    """

    target: Floats
    """Sufficient statistics of y against ỹ, a row a pair."""
    source: Floats
    """The same of x against x̃."""
    target_metric: Metric
    source_metric: Metric
    """One metric, settled for each of the two languages."""
    lengths: Floats | None = None
    """Words of x̃ and of ỹ, a row a pair, for the discount."""

    def corpus(self, bootstrap: Bootstrap | None = None, discount: bool = False) -> Estimate:
        """The ratio of the corpus scores; with `discount` times words of x̃ over words of ỹ.

        The discount follows the paper's footnote: a longer translation has more to lose.
        """
        widths = np.cumsum([self.target.shape[1], self.source.shape[1]])
        tables = [self.target, self.source]
        if discount:
            if self.lengths is None:
                raise ValueError("a discount needs the lengths of the texts")
            tables.append(self.lengths)

        def ratio(sums: FloatArray) -> FloatArray:
            found = self._ratio(sums[:, : widths[0]], sums[:, widths[0] : widths[1]], "corpus")
            if discount:
                found = found * sums[:, widths[1]] / sums[:, widths[1] + 1]
            return found

        return estimate(np.hstack(tables), ratio, bootstrap)

    def sentences(self) -> Floats:
        """The ratio of each pair; NaN where it is not defined."""
        return self._ratio(self.target, self.source, "sentence")

    def mean(self, bootstrap: Bootstrap | None = None) -> Estimate:
        """The mean of the ratios of single pairs, with its interval."""
        return mean(self.sentences(), bootstrap)

    def _ratio(self, target: Floats, source: Floats, level: Level) -> Floats:

        lost = 1 - self.target_metric.from_statistics(target, level)
        noise = 1 - self.source_metric.from_statistics(source, level)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(noise > 1e-12, lost / noise, np.nan)
