"""Machine code for the inner loops: compiled once, then loaded from numba's cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from numba import njit

__all__ = ["compiled"]

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code, with its types kept for the type checker."""
    return cast(Callable[P, R], njit(cache=True, nogil=True)(function))
