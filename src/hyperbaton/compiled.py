"""Machine code for the inner loops: compiled once, then loaded from numba's cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from numba import njit

__all__ = ["compiled"]

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R], **options: object) -> Callable[P, R]:
    """The function as machine code, with its types kept for the type checker."""
    try:
        machine_code = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # no directory that a cache could be written to
        machine_code = njit(nogil=True, **options)(function)
    return cast(Callable[P, R], machine_code)
