"""Machine code for the inner loops: compiled once, then loaded from numba's cache."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, ParamSpec, TypeVar, cast

from numba import njit

__all__ = ["compiled"]

P = ParamSpec("P")
R = TypeVar("R")


def compiled(
    function: Callable[P, R],
    fastmath: Collection[str] = (),
    error_model: Literal["python", "numpy"] = "python",
) -> Callable[P, R]:
    """The function as machine code, with its types kept for the type checker.

    `fastmath` names the liberties that LLVM may take with floats; with numpy's model of errors a
    division by 0 is no error, which loops need to be vectorised.
    """
    try:
        machine_code = njit(
            cache=True, nogil=True, fastmath=set(fastmath) or False, error_model=error_model
        )(function)
    except RuntimeError:  # no directory that a cache could be written to
        machine_code = njit(nogil=True, fastmath=set(fastmath) or False, error_model=error_model)(
            function
        )
    return cast(Callable[P, R], machine_code)
