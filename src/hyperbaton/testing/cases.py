"""Cases of earlier breaks as tests: a parameter for each, and an assertion that it holds by now."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.search.breaks import BREAKS, likelihood_of
from hyperbaton.search.cases import Case, read_cases, run_again
from hyperbaton.testing.stability import Translate, opened, told


def each_case(path: str | Path, name: str = "case") -> Callable[..., Any]:
    """Run a test for each case of a file that `hyperbaton break` or `check --mended` wrote.

    The file lies beside the test, or where the path says.
    """
    pytest = need("pytest", extra="test")
    beside = Path(sys._getframe(1).f_globals.get("__file__", "")).parent / path
    found = read_cases(beside if beside.exists() else Path(path))
    if not found:
        raise HyperbatonError(f"{path} has no cases: there is nothing to test")
    return pytest.mark.parametrize(name, found, ids=[f"{c.kind}-{c.item}" for c in found])  # type: ignore[no-any-return]


def assert_holds(translate: Translate, case: Case, breaks: Sequence[str] = ()) -> None:
    """Fail where a case still breaks, with its translations of today.

    >>> case = Case("1", "en-de", "x", "case", 1, "", "", "Go!", "GO!", "Geh!", "GO!")
    >>> assert_holds(str.upper, case)
    """
    __tracebackhide__ = True
    with opened(translate, None if hasattr(translate, "languages") else case.pair) as system:
        if "-".join(system.languages) != case.pair:
            of = "-".join(system.languages)
            raise HyperbatonError(f"{system.name} is open for {of}, the case is of {case.pair}")
        asked = [BREAKS.parse(text) for text in breaks]
        likelihood = likelihood_of(system.translator)
        (again,) = run_again([case], system.answers, asked, likelihood)
    if again.fault:
        raise AssertionError(f"{system.name} has no translation of '{case.varied}': {again.fault}")
    if again.why:
        now = replace(case, system=system.name, why=again.why, output=again.output or "")
        raise AssertionError(told(replace(now, varied_output=again.varied_output or "")))
