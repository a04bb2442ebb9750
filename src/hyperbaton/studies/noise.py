"""The noise ratio of a pool: do translations differ more than their sources?"""

from __future__ import annotations

import numpy as np

from hyperbaton.metrics.noise import noise_ratio
from hyperbaton.metrics.tokens import Tokens, settle, split
from hyperbaton.studies.layer.aggregate import Aggregate, Floats
from hyperbaton.studies.pools import Pool

__all__ = ["SIDES", "ratio", "ratios"]

SIDES = {"translations": "target", "sources": "source"}
"""The comparisons that a noise ratio is made of, with the side of their texts."""


def ratio(pool: Pool, metric: str, discount: bool = False) -> Aggregate:
    """NR of all rows together.

    The discount of the paper's footnote multiplies it by the words of the sources over those of
    the translations: a longer text has more to lose. Words are those that the metric counts.
    """
    keys = [(metric, name) for name in SIDES]
    tables = [pool.statistics[key] for key in keys]
    first, second = np.cumsum([table.shape[1] for table in tables])

    def of(sums: Floats) -> Floats:
        parts = (sums[:, :first], sums[:, first:second])
        similar = [
            pool.scorers[key].from_statistics(part, "corpus")
            for key, part in zip(keys, parts, strict=True)
        ]
        found = noise_ratio(similar[0], similar[1])
        return found * sums[:, second] / sums[:, second + 1] if discount else found

    lengths = [_lengths(pool, metric, name) for name in reversed(SIDES)] if discount else []
    return pool.of(np.column_stack([*tables, *lengths]), of)


def _lengths(pool: Pool, metric: str, comparison: str) -> Floats:
    """Words of the clean text of each row, cut by the metric, or as BLEU does if it cuts none."""
    pair, source = pool.source.pair, SIDES[comparison] == "source"
    tokens: Tokens = getattr(pool.scorers[metric, comparison], "tokens", "auto")
    texts = pool.rows["source" if source else "output"].to_list()
    cut = split(texts, settle(tokens, pair.source if source else pair.target))
    return np.array([len(words) for words in cut], dtype=np.float64)


def ratios(pool: Pool, metric: str) -> Floats:
    """NR of each row, NaN where it is not defined."""
    similar = [pool.sentences(metric, name) for name in SIDES]
    return noise_ratio(similar[0], similar[1])
