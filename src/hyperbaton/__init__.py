"""Hyperbaton: a laboratory for translators."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperbaton.studies.session import Session as Session
    from hyperbaton.studies.session import wordorder as wordorder

__version__ = "0.1.0"
__all__ = ["__version__"]

_FROM_SESSION = ("Session", "wordorder")


def __getattr__(name: str) -> object:
    """Import what runs studies when it is asked for, so that the package itself stays light."""
    if name in _FROM_SESSION:
        from hyperbaton.studies import session

        return getattr(session, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *_FROM_SESSION])
