"""Sums and means of rows in every resample."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from hyperbaton.stats import Bootstrap
from hyperbaton.stats.resample import resampled_sums
from hyperbaton.studies.aggregates import NOTHING, Aggregate, Floats

__all__ = ["of_sums", "resampled_means"]

_BYTES_AT_ONCE = 1 << 24


def of_sums(table: Floats, function: Callable[[Floats], Floats], bootstrap: Bootstrap) -> Aggregate:
    """A function of the summed rows of a table, in the data and in every resample.

    A row that adds nothing is no item behind the number.
    """
    if not len(table):
        return NOTHING
    items = int((table != 0).any(axis=1).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        sums = resampled_sums(table, bootstrap.resamples, bootstrap.seed)
        value = float(np.asarray(function(table.sum(axis=0, keepdims=True))).reshape(-1)[0])
        return Aggregate.of(value, np.asarray(function(sums)).reshape(-1), items)


def resampled_means(
    tables: Sequence[Floats], bootstrap: Bootstrap
) -> tuple[list[Floats], list[NDArray[np.float32]]]:
    """The mean of each column of each table, and its mean in each resample.

    Drawing takes longer than adding, so the tables go together; some columns at a time. Tables
    mostly have their gaps in common, and what is known is counted once for all that have.
    """
    items, width = tables[0].shape
    at_once = max(1, _BYTES_AT_ONCE // (16 * len(tables) * max(1, items)))
    values, drawn = [], []
    for start in range(0, width, at_once):
        some = np.stack([table[:, start : start + at_once] for table in tables], axis=1)
        known = ~np.isnan(some).reshape(items, -1)
        firsts, owner = _alike(known)
        both = np.hstack([np.where(known, some.reshape(items, -1), 0), known[:, firsts]])
        drawn_sums = resampled_sums(both, bootstrap.resamples, bootstrap.seed)
        values.append(_ratios(both.sum(axis=0, keepdims=True), owner, len(tables)))
        drawn.append(_ratios(drawn_sums, owner, len(tables)).astype(np.float32))
    all_values, all_drawn = np.concatenate(values, axis=2), np.concatenate(drawn, axis=2)
    return [part[0] for part in all_values], list(all_drawn)


def _alike(known: NDArray[np.bool_]) -> tuple[list[int], NDArray[np.intp]]:
    """The columns that differ from all before them, and for each column the place of its like."""
    places: dict[bytes, int] = {}
    owner = [
        places.setdefault(column.tobytes(), len(places)) for column in np.packbits(known, axis=0).T
    ]
    firsts = [owner.index(place) for place in range(len(places))]
    return firsts, np.array(owner, dtype=np.intp)


def _ratios(sums: Floats, owner: NDArray[np.intp], tables: int) -> Floats:
    """Sums over counts: table × resample × column; `owner` is the place of a sum's count."""
    total, count = sums[:, : len(owner)], sums[:, len(owner) :]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            (total / count[:, owner]).reshape(len(sums), tables, -1).transpose(1, 0, 2)
        )
