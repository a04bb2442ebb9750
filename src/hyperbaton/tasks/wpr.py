"""WPR: how well does a web page fit a query? (XGLUE, Liang et al. 2020), scored by nDCG."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.tasks.task import Examples, Judged
from hyperbaton.tasks.xglue import Xglue

__all__ = ["Wpr", "ndcg"]


@dataclass(frozen=True)
class Wpr(Xglue):
    """Query, title and snippet of the page, one of five grades; 7 languages."""

    name: ClassVar[str] = "wpr"
    score: ClassVar[str] = "nDCG"
    texts: ClassVar[int] = 3
    labels: ClassVar[tuple[str, ...]] = ("Bad", "Fair", "Good", "Excellent", "Perfect")

    def judge(self, examples: Examples, predicted: NDArray[np.intp]) -> Judged:
        """nDCG of the pages of each query, which stand together, written at the first of them."""
        scores = np.zeros(len(predicted), np.float32)
        weights = np.zeros(len(predicted), np.float32)
        gold = np.array(examples.gold)
        for _, same in groupby(range(len(predicted)), key=lambda at: examples.texts[at][0]):
            places = list(same)
            scores[places[0]] = ndcg(predicted[places], gold[places])
            weights[places[0]] = 1
        names = tuple(examples.answers[grade] for grade in predicted.tolist())
        return Judged(scores, weights, names)


def ndcg(predicted: NDArray[np.intp], gold: NDArray[np.intp]) -> float:
    """How near the order of predicted grades comes to the best one; 1 where nothing is relevant.

    Pages with the same predicted grade share their places: each counts with the mean discount.

    >>> ndcg(np.array([2, 1, 0]), np.array([2, 1, 0])), ndcg(np.array([0, 0]), np.array([1, 1]))
    (1.0, 1.0)
    >>> round(ndcg(np.array([0, 1]), np.array([1, 0])), 4)
    0.6309
    """
    gains = 2.0**gold - 1
    discounts = 1 / np.log2(np.arange(2, len(gold) + 2))
    best = float(np.sort(gains)[::-1] @ discounts)
    if not best:
        return 1.0
    _, tied, counts = np.unique(-predicted, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared = np.array(
        [discounts[end - count : end].mean() for end, count in zip(ends, counts, strict=True)]
    )
    return float(gains @ shared[tied]) / best
