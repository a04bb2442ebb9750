"""The numbers that come in: items × columns, checked once, with errors that name the item."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.stats.resample import FloatArray

__all__ = ["paired", "table", "table_with_gaps"]


def table_with_gaps(values: ArrayLike) -> FloatArray:
    """Items × columns in which NaN stands for a value that an item does not have."""
    try:
        rows = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise HyperbatonError(
            "the statistics must be a table of numbers with the same columns for every item"
        ) from None
    if rows.ndim == 1:
        rows = rows[:, None]
    if rows.ndim != 2:
        raise HyperbatonError(
            f"the statistics must be items × columns, not an array of {rows.ndim} dimensions"
        )
    if not len(rows):
        raise HyperbatonError("there are no items to resample")
    if np.isinf(rows).any():
        item, column = np.argwhere(np.isinf(rows))[0]
        raise HyperbatonError(f"item {item} holds an infinite value (column {column})")
    return rows


def table(statistics: ArrayLike) -> FloatArray:
    """Items × columns without a gap."""
    rows = table_with_gaps(statistics)
    if np.isnan(rows).any():
        item, column = np.argwhere(np.isnan(rows))[0]
        raise HyperbatonError(
            f"the statistics of item {item} hold a NaN (column {column}): "
            "leave such items out or use a mean, which counts them as undefined"
        )
    return rows


def paired(first: ArrayLike, second: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two tables over the same items, or an error that says how they differ."""
    one, two = table(first), table(second)
    if one.shape != two.shape:
        raise HyperbatonError(
            f"the two systems must cover the same items: {one.shape[0]} items × {one.shape[1]} "
            f"statistics against {two.shape[0]} × {two.shape[1]}"
        )
    return one, two
