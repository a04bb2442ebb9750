"""Perturbations: permutations of words, characters or subwords, and rewritings of the surface."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from hyperbaton.perturb.groups import GROUPS, parse_all
from hyperbaton.perturb.perturbation import (
    PERTURBATIONS,
    Draw,
    Perturbation,
    Reordering,
    Rewriting,
    Variant,
    needed,
    perturb,
    perturb_all,
)

__all__ = [
    "GROUPS",
    "PERTURBATIONS",
    "Draw",
    "Perturbation",
    "Reordering",
    "Rewriting",
    "Variant",
    "needed",
    "parse_all",
    "perturb",
    "perturb_all",
]


class _Room(ModuleType):
    """This room, which can be called too: `hyperbaton.perturb("…", "reversed")`."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """What `hyperbaton.texts.perturb` does, which is in a room above this one."""
        return import_module("hyperbaton.texts").perturb(*args, **options)


sys.modules[__name__].__class__ = _Room
