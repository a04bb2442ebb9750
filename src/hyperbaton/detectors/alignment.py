"""A small network that aligns two sentences softly and weighs what does not fit; in NumPy.

In the manner of decomposable attention (Parikh et al. 2016), with the same weights for both sides
and sums over both, so that it does not ask which sentence comes first. It sees where a word went,
so order counts. Training it takes torch (hyperbaton.train); using it does not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.npz import read_npz

__all__ = ["Weights", "load_weights", "logit", "save_weights"]

FloatArray = NDArray[np.float32]
Weights = Mapping[str, FloatArray]
"""By the names of the trained parameters."""

NAMES = (
    *("project.weight", "project.bias", "compare.weight", "compare.bias"),
    *("hidden.weight", "hidden.bias", "out.weight", "out.bias", "scale", "near"),
)


def logit(weights: Weights, one: FloatArray, two: FloatArray) -> float:
    """The log-odds that two sentences, given as a vector for each word, mean the same."""
    u, w = (_relu(_linear(weights, "project", side)) for side in (one, two))
    places, others = (np.linspace(0, 1, len(side), dtype=np.float32) for side in (u, w))
    fit = (u @ w.T) * weights["scale"]
    fit = fit - np.abs(weights["near"]) * np.abs(places[:, None] - others[None, :])
    a = _compared(weights, u, w, _softmax(fit), places, others)
    b = _compared(weights, w, u, _softmax(fit.T), others, places)
    hidden = _relu(_linear(weights, "hidden", np.concatenate([a + b, np.abs(a - b)])))
    return float(_linear(weights, "out", hidden)[0])


def _compared(
    weights: Weights,
    mine: FloatArray,
    theirs: FloatArray,
    attention: FloatArray,
    places: FloatArray,
    others: FloatArray,
) -> FloatArray:
    """Each word beside what it was aligned with and how far away that stood, pooled."""
    aligned = attention @ theirs
    moved = attention @ others - places
    turned = np.abs(np.diff(moved, prepend=moved[:1]))
    rows = np.concatenate(
        [mine, aligned, np.abs(mine - aligned), mine * aligned, moved[:, None], turned[:, None]],
        axis=1,
    )
    seen = _relu(_linear(weights, "compare", rows))
    return np.concatenate([seen.mean(axis=0), seen.max(axis=0)])


def _linear(weights: Weights, name: str, rows: FloatArray) -> FloatArray:
    return np.asarray(rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])


def _relu(rows: FloatArray) -> FloatArray:
    return np.maximum(rows, 0)


def _softmax(rows: FloatArray) -> FloatArray:
    raised = np.exp(rows - rows.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def save_weights(path: Path, weights: Mapping[str, NDArray[np.floating]]) -> None:
    """Write weights in half precision; plain arrays only, so reading them runs no code."""
    from hyperbaton.base.files import atomic_path

    with atomic_path(path) as temporary, temporary.open("wb") as file:
        arrays = {name: value.astype(np.float16) for name, value in weights.items()}
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def load_weights(path: Path, names: Collection[str] = NAMES) -> dict[str, FloatArray]:
    """Read the weights of these names, or say what is wrong with the file."""
    weights = {name: values.astype(np.float32) for name, values in read_npz(path).items()}
    missing = [name for name in names if name not in weights]
    if missing:
        raise HyperbatonError(f"{path} has no weights {', '.join(missing)}")
    return weights
