"""The distributions are SciPy's own, and the rest of its package can be imported afterwards."""

from __future__ import annotations

import subprocess
import sys

_CODE = """
import sys
import scipy
from hyperbaton.stats import distributions
assert "scipy.special" not in sys.modules, "all was loaded"
# SciPy 1.18 loads its linear algebra for these functions, and that loads this.
newer = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 18)
assert newer or "numpy.f2py" not in sys.modules, "all was loaded"
import scipy.special
for name in ("ndtr", "ndtri", "stdtr", "stdtrit"):
    assert getattr(scipy.special, name) is getattr(distributions, name), name
assert scipy.special.erf(0.0) == 0.0 and scipy.special.logsumexp([0.0]) == 0.0
print(distributions.ndtr(0.0), round(distributions.stdtrit(10, 0.5), 12))
"""


def _printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_the_functions_are_loaded_and_they_are_those_of_the_package() -> None:
    assert _printed(_CODE) == "0.5 0.0\n"


def test_a_package_that_is_there_already_is_used() -> None:
    code = "import scipy.special as s; from hyperbaton.stats.distributions import ndtr; "
    assert _printed(code + "print(ndtr is s.ndtr)") == "True\n"


def test_without_the_compiled_functions_the_package_is_imported_as_a_whole() -> None:
    hidden = "import sys; sys.modules['scipy.special._ufuncs'] = None\n"
    code = "try:\n    import hyperbaton.stats.distributions\nexcept ImportError as error:\n"
    assert "scipy" in _printed(hidden + code + "    print(error)\n")
