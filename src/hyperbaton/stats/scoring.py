"""A score as a function of summed statistics, and such a function applied to groups of columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.stats.resample import FloatArray

__all__ = ["Score", "by_group", "grouped", "scored"]

Score = Callable[[FloatArray], NDArray[np.float64]]
"""From summed statistics, one row per resample, to one score per row, or several."""


def scored(score: Score, sums: FloatArray) -> FloatArray:
    """The scores of each row of sums, always as rows × scores."""
    values = np.asarray(score(sums), dtype=np.float64)
    if values.shape[:1] != (len(sums),):
        raise HyperbatonError(
            f"the score function must give a row for each of {len(sums)} rows of sums, "
            f"not an array of shape {values.shape}"
        )
    return values.reshape(len(sums), -1)


def grouped(score: Score, groups: int) -> Score:
    """The same score for each of several groups whose columns stand side by side."""

    def each(sums: FloatArray) -> FloatArray:
        rows = sums.reshape(len(sums) * groups, -1)
        return scored(score, rows).reshape(len(sums), -1)

    return each


def by_group(
    items: ArrayLike, groups: ArrayLike, statistics: ArrayLike, shape: tuple[int, int]
) -> FloatArray:
    """Rows of statistics, each of one item in one group, as one row an item for resampling.

    `shape` is (number of items, number of groups). Rows of the same item and group are summed, so
    that the item stays the unit that is drawn; an item that is not in a group adds nothing to it.

    >>> rows = [[1, 4], [3, 4], [2, 2]]
    >>> by_group(items=[0, 0, 1], groups=[0, 1, 1], statistics=rows, shape=(2, 2))
    array([[1., 4., 3., 4.],
           [0., 0., 2., 2.]])
    """
    rows = np.asarray(statistics, dtype=np.float64)
    rows = rows.reshape(len(rows), -1)
    item, group = np.asarray(items, dtype=np.intp), np.asarray(groups, dtype=np.intp)
    if not len(item) == len(group) == len(rows):
        raise HyperbatonError(
            f"{counted(len(rows), 'row')} of statistics, but {counted(len(item), 'item number')} "
            f"and {counted(len(group), 'group number')}"
        )
    for name, numbers, size in (("item", item, shape[0]), ("group", group, shape[1])):
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < size:
            raise HyperbatonError(f"a {name} number lies outside 0 … {size - 1}")
    wide = np.zeros((*shape, rows.shape[1]))
    np.add.at(wide, (item, group), rows)
    return wide.reshape(shape[0], -1)
