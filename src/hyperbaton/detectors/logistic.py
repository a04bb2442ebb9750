"""Logistic regression by Newton's method: small, convex, the same result on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from hyperbaton.base.errors import HyperbatonError

__all__ = ["fit_logistic"]

FloatArray = NDArray[np.float64]


def fit_logistic(
    features: ArrayLike, labels: ArrayLike, l2: float = 1.0, steps: int = 100
) -> tuple[FloatArray, float]:
    """Weights and intercept that maximise the likelihood minus l2/2 · |weights|².

    >>> weights, intercept = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> bool(weights[0] > 0), round(-intercept / weights[0], 6)
    (True, np.float64(1.5))
    """
    x = np.asarray(features, dtype=np.float64)
    y = np.asarray(labels, dtype=np.float64)
    if x.ndim != 2 or len(x) != len(y):
        raise HyperbatonError("features are rows × columns, with one label a row")
    if not 0 < y.mean() < 1:
        raise HyperbatonError("every label is the same: both kinds of pairs are needed")
    design = np.column_stack([x, np.ones(len(x))])
    ridge = np.full(design.shape[1], l2)
    ridge[-1] = 0.0
    theta = np.zeros(design.shape[1])
    for _ in range(steps):
        chance = expit(design @ theta)
        gradient = design.T @ (y - chance) - ridge * theta
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(ridge + 1e-9)
        step = np.linalg.solve(curve, gradient)
        theta = theta + _shortened(design, y, ridge, theta, step) * step
        if np.abs(step).max() < 1e-9:
            break
    return theta[:-1], float(theta[-1])


def _shortened(
    design: FloatArray, y: FloatArray, ridge: FloatArray, theta: FloatArray, step: FloatArray
) -> float:
    """How much of a step may be taken without losing likelihood."""
    before, scale = _loss(design, y, ridge, theta), 1.0
    while _loss(design, y, ridge, theta + scale * step) > before + 1e-12 and scale > 1e-6:
        scale /= 2
    return scale


def _loss(design: FloatArray, y: FloatArray, ridge: FloatArray, theta: FloatArray) -> float:
    z = design @ theta
    return float(np.sum(np.logaddexp(0, z) - y * z) + 0.5 * np.sum(ridge * theta**2))
