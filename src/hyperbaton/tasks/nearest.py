"""Exact nearest neighbours by cosine, in blocks: memory stays flat however many vectors there are.

Two sets of 100,000 vectors of 384 numbers take less than 1 GB beside the vectors themselves
(`benchmarks/retrieval.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Places = NDArray[np.intp]
_ROWS, _COLUMNS = 1024, 16384
"""Cosines that are held at once: 64 MB."""


def unit(vectors: Vectors) -> Vectors:
    """The vectors with length 1; a vector of zeros stays one."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), np.float32)


def nearest(queries: Vectors, answers: Vectors) -> tuple[Places, Vectors]:
    """The place of the answer with the largest cosine, of equals the first, and that cosine.

    >>> nearest(np.eye(2, dtype=np.float32), np.array([[0, 2], [1, 1], [3, 1]], np.float32))[0]
    array([2, 0])
    """
    queries, answers = unit(queries), unit(answers)
    places = np.zeros(len(queries), np.intp)
    best = np.full(len(queries), -np.inf, np.float32)
    for row in range(0, len(queries), _ROWS):
        block = queries[row : row + _ROWS]
        here, there = places[row : row + _ROWS], best[row : row + _ROWS]
        for column in range(0, len(answers), _COLUMNS):
            cosines = block @ answers[column : column + _COLUMNS].T
            found = cosines.argmax(axis=1)
            values = cosines[np.arange(len(block)), found]
            better = values > there
            here[better], there[better] = found[better] + column, values[better]
    return places, best


def neighbours(queries: Vectors, answers: Vectors, k: int) -> tuple[Places, Vectors]:
    """The k answers with the largest cosines and these cosines, for each query, in no order."""
    k = min(k, len(answers))
    places = np.zeros((len(queries), k), np.intp)
    cosines = np.zeros((len(queries), k), np.float32)
    queries, answers = unit(queries), unit(answers)
    for row in range(0, len(queries), _ROWS):
        whole = queries[row : row + _ROWS] @ answers.T
        found = np.argpartition(whole, -k, axis=1)[:, -k:]
        places[row : row + _ROWS] = found
        cosines[row : row + _ROWS] = np.take_along_axis(whole, found, axis=1)
    return places, cosines
