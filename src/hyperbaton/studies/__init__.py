"""Studies: how probes are made, what is compared, and what is drawn from the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperbaton.studies.registry import STUDIES as STUDIES

__all__ = ["SHIPPED_STUDIES", "STUDIES"]

SHIPPED_STUDIES: dict[str, tuple[str, str]] = {
    "wordorder": (
        "hyperbaton.studies.wordorder.study:WordOrder",
        "is a translator robust to the order of words, or faithful to it?",
    ),
    "isometry": (
        "hyperbaton.studies.isometry.study:Isometry",
        "do paraphrases stay paraphrases when they are translated?",
    ),
    "surface": (
        "hyperbaton.studies.surface:Surface",
        "does the translation change when only case, punctuation or quotes do?",
    ),
    "repairs": (
        "hyperbaton.studies.repairs:Repairs",
        "does a translator change the meaning of correct but unusual sentences?",
    ),
    "grammar": (
        "hyperbaton.studies.grammar.study:Grammar",
        "what do learners' errors do to a translation?",
    ),
    "obedience": (
        "hyperbaton.studies.obedience.study:Obedience",
        "does a translator translate a text, or do what it says?",
    ),
    "structure": (
        "hyperbaton.studies.structure.study:Structure",
        "does an encoder rely on neighbouring characters, or on their positions?",
    ),
    "metrics": (
        "hyperbaton.studies.metrics.study:Metrics",
        "which metric notices which damage to a translation?",
    ),
}
"""The studies that are shipped: where each is, and its line in `hyperbaton --help`, which loads
none of them."""


def __getattr__(name: str) -> object:
    """The registry, when it is asked for: `hyperbaton --help` needs the names alone."""
    if name == "STUDIES":
        from hyperbaton.studies.registry import STUDIES

        return STUDIES
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
