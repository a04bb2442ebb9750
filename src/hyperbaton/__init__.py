"""Hyperbaton: a laboratory for translators.

`hyperbaton.wordorder(…)`, and every other registered study by its name, runs a study and returns a
`Session` with its scores, tables, figures and report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hyperbaton.base.errors import HyperbatonError as HyperbatonError
    from hyperbaton.studies.layer.session import Session as Session
    from hyperbaton.studies.layer.session import study as study

__version__ = "0.1.0"
__all__ = ["HyperbatonError", "Session", "__version__", "study"]

_PLACES = {
    "HyperbatonError": "hyperbaton.base.errors",
    "Session": "hyperbaton.studies.layer.session",
    "study": "hyperbaton.studies.layer.session",
}


def __getattr__(name: str) -> Callable[..., Session]:
    """Import what is asked for, so that the package itself stays light; studies are functions."""
    import importlib

    if name in _PLACES:
        found: Callable[..., Session] = getattr(importlib.import_module(_PLACES[name]), name)
        return found
    if not name.startswith("_"):
        from hyperbaton.studies.layer.session import function_of
        from hyperbaton.studies.registry import STUDIES

        if name in STUDIES.names():
            return function_of(name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    from hyperbaton.studies.registry import STUDIES

    return sorted({*globals(), *__all__, *STUDIES.names()})
