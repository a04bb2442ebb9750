"""Perturbations: permutations of words, characters or subwords, and rewritings of the surface."""

from __future__ import annotations

from importlib import import_module

from hyperbaton.base.callable_rooms import make_callable
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

# `hyperbaton.perturb("…", "reversed")` is a function of texts, in a room above this one.
make_callable(__name__, lambda: import_module("hyperbaton.texts").perturb)
