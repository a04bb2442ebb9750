"""Machine code for the inner loops: compiled once, then loaded from numba's cache."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

FunctionCache: Any = import_module("numba.core.caching").FunctionCache  # has types by halves
runtime: Any = import_module("numba.core.runtime").rtsys
P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code, with its types kept for the type checker."""
    machine_code: Any = njit(nogil=True)(function)
    with suppress(RuntimeError):  # no directory that a cache could be written to
        machine_code._cache = _Cache(function)
    return cast(Callable[P, R], machine_code)


class _Cache(FunctionCache):  # type: ignore[misc]
    """numba's cache, which may fail: on a full or read-only disk, or with damaged files."""

    def load_overload(self, *call: Any) -> Any:
        """The machine code that was kept, or None.

        numba would first load all that it can compile, and SciPy: .4 s that only compiling needs.
        """
        try:
            runtime.initialize(call[1])
            with self._guard_against_spurious_io_errors():
                return self._load_overload(*call)
        except Exception:  # damaged files raise whatever their bytes say
            return None

    def save_overload(self, *call: Any) -> None:
        """Keep machine code for the next process, if that can be."""
        try:
            super().save_overload(*call)
        except OSError:
            return
        except Exception:  # the list of what is kept cannot be read: begin a new one
            with suppress(OSError):
                self.flush()
                super().save_overload(*call)
