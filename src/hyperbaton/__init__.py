"""Hyperbaton: a laboratory for translators.

`hyperbaton.wordorder(…)`, and every other registered study by its name, runs a study and returns a
`Session` with its outcomes, scores, tables, figures and report; `perturb`, `translate`, `score` and
`show` work on texts. What `__all__` names is the stable interface (docs/python.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperbaton.studies import SHIPPED_STUDIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from hyperbaton.base.errors import HyperbatonError as HyperbatonError
    from hyperbaton.cli.verbs.show import show as show
    from hyperbaton.studies.layer.running import study as study
    from hyperbaton.studies.layer.session import Session as Session
    from hyperbaton.studies.layer.session import compare as compare
    from hyperbaton.studies.layer.session import open as open  # noqa: A004
    from hyperbaton.texts import Scored as Scored
    from hyperbaton.texts import perturb as perturb
    from hyperbaton.texts import score as score
    from hyperbaton.texts import translate as translate

__version__ = "0.1.0"
_PLACES = {
    "HyperbatonError": "hyperbaton.base.errors:HyperbatonError",
    "Scored": "hyperbaton.texts:Scored",
    "Session": "hyperbaton.studies.layer.session:Session",
    "compare": "hyperbaton.studies.layer.session:compare",
    "open": "hyperbaton.studies.layer.session:open",
    # The room of that name can be called, so that both are one.
    "perturb": "hyperbaton:perturb",
    "score": "hyperbaton.texts:score",
    "show": "hyperbaton.cli.verbs.show:show",
    "study": "hyperbaton.studies.layer.running:study",
    "translate": "hyperbaton.texts:translate",
}
__all__ = ["__version__", *_PLACES, *SHIPPED_STUDIES]


def __getattr__(name: str) -> Callable[..., Session]:
    """Import what is asked for, so that the package itself stays light; studies are functions."""
    from importlib import import_module

    if name in ("metrics", "perturb"):  # rooms that can be called
        room: Callable[..., Session] = import_module(f"hyperbaton.{name}")  # type: ignore[assignment]
        return room
    if name in _PLACES:
        module, _, attribute = _PLACES[name].partition(":")
        found: Callable[..., Session] = getattr(import_module(module), attribute)
        return found
    if not name.startswith("_"):
        from hyperbaton.studies.layer.running import function_of
        from hyperbaton.studies.registry import STUDIES

        if name in STUDIES.names():
            return function_of(name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    from hyperbaton.studies.registry import STUDIES

    return sorted({*globals(), *__all__, *STUDIES.names()})
