"""Contour lines of a density on the unit square: highest-density regions by marching squares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

__all__ = ["MASSES", "contours", "density", "levels"]

MASSES = (0.25, 0.5, 0.75, 0.9)
"""The shares of all points that the contour lines enclose."""
FloatArray = NDArray[np.float64]


def density(x: FloatArray, y: FloatArray, grid: int = 48, bandwidth: float = 0.03) -> FloatArray:
    """A smoothed histogram, rows over y; mass that would leave the square is reflected back."""
    counts, _, _ = np.histogram2d(y, x, bins=grid, range=[[0, 1], [0, 1]])
    smooth = gaussian_filter(counts, bandwidth * grid, mode="reflect")
    return np.asarray(smooth / smooth.sum())


def levels(values: FloatArray, masses: Sequence[float] = MASSES) -> list[float]:
    """The density on the edge of the smallest region that holds each share of the mass."""
    ordered = np.sort(values.ravel())[::-1]
    reached = np.cumsum(ordered)
    return [
        float(ordered[min(int(np.searchsorted(reached, mass)), len(ordered) - 1)])
        for mass in masses
    ]


def contours(values: FloatArray, level: float) -> list[tuple[float, float, float, float]]:
    """Line segments (x1, y1, x2, y2) along which the density has this level.

    >>> hill = np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]])
    >>> len(contours(hill, 0.5))
    4
    """
    # Cell centres are the grid; a rim of nothing closes lines that would end at the edge.
    size = len(values)
    padded = np.pad(values, 1, constant_values=-1.0)
    places = np.concatenate([[0.0], (np.arange(size) + 0.5) / size, [1.0]])
    segments = []
    for row in range(size + 1):
        for column in range(size + 1):
            corners = (
                (places[column], places[row], padded[row, column]),
                (places[column + 1], places[row], padded[row, column + 1]),
                (places[column + 1], places[row + 1], padded[row + 1, column + 1]),
                (places[column], places[row + 1], padded[row + 1, column]),
            )
            segments += _cell(corners, level)
    return segments


Corner = tuple[float, float, float]


def _cell(corners: Sequence[Corner], level: float) -> list[tuple[float, float, float, float]]:
    inside = [value >= level for _, _, value in corners]
    if all(inside) or not any(inside):
        return []
    crossings = [
        _crossing(corners[i], corners[(i + 1) % 4], level)
        for i in range(4)
        if inside[i] != inside[(i + 1) % 4]
    ]
    # In a saddle the lines cut off the corners that are inside.
    if len(crossings) == 4 and not inside[0]:
        crossings = [*crossings[1:], crossings[0]]
    if len(crossings) == 4:
        crossings = [crossings[3], *crossings[:3]]
    pairs = zip(crossings[::2], crossings[1::2], strict=True)
    return [(*one, *two) for one, two in pairs]


def _crossing(a: Corner, b: Corner, level: float) -> tuple[float, float]:
    # Against the rim the line runs along the edge of the square.
    share = (level - a[2]) / (b[2] - a[2])
    if a[2] < 0:
        share = 0.0
    elif b[2] < 0:
        share = 1.0
    return round(a[0] + share * (b[0] - a[0]), 4), round(a[1] + share * (b[1] - a[1]), 4)
