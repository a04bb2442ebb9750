"""Rooms that can be called as functions: `hyperbaton.perturb("…", "reversed")`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A package that passes a call on to a function of a room above it."""

    function: Callable[[], Callable[..., Any]]

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.function()(*args, **options)


def make_callable(name: str, function: Callable[[], Callable[..., Any]]) -> None:
    """Let the package of this name be called; `function` imports what answers then."""
    room = sys.modules[name]
    room.__class__ = _Room
    room.__dict__["function"] = function
