"""Normal and t distribution, as SciPy computes them.

`import scipy.special` takes .1 s, nearly all of it for arrays of other libraries than NumPy, and
every interval would wait for it. The compiled functions themselves load in 5 ms: they are imported
while an empty module stands for the package, which anybody can import as a whole afterwards.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import scipy

_PACKAGE = "scipy.special"


def _functions() -> ModuleType:
    if _PACKAGE in sys.modules:
        return sys.modules[_PACKAGE]
    empty = ModuleType(_PACKAGE)
    empty.__path__ = [str(Path(scipy.__file__).with_name("special"))]
    sys.modules[_PACKAGE] = empty
    try:
        return import_module(f"{_PACKAGE}._ufuncs")
    except ImportError:
        pass
    finally:
        del sys.modules[_PACKAGE]
    return import_module(_PACKAGE)  # of another making: as a whole


_found = _functions()
ndtr = _found.ndtr
"""The normal distribution."""
ndtri = _found.ndtri
"""Its quantiles."""
stdtr = _found.stdtr
"""Student's t, by degrees of freedom."""
stdtrit = _found.stdtrit
"""Its quantiles."""
