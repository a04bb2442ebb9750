"""Machine code for the inner loops: compiled once, then loaded from numba's cache."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from importlib import import_module
from typing import Any, Literal, ParamSpec, TypeVar, cast

from numba import njit

FunctionCache: Any = import_module("numba.core.caching").FunctionCache  # has types by halves
runtime: Any = import_module("numba.core.runtime").rtsys
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
    options: Any = {"fastmath": set(fastmath) or False, "error_model": error_model}
    machine_code: Any = njit(nogil=True, **options)(function)
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
