"""Which words of a translation stand for which words of its source, and what follows from it."""

from typing import TYPE_CHECKING

from hyperbaton.alignment.aligner import ALIGNERS, Aligner, Link, Links, Pair, Words

if TYPE_CHECKING:
    from hyperbaton.alignment.word_order import Neighbour, neighbour, project

__all__ = [
    "ALIGNERS",
    "Aligner",
    "Link",
    "Links",
    "Neighbour",
    "Pair",
    "Words",
    "neighbour",
    "project",
]


def __getattr__(name: str) -> object:
    """What moves words needs NumPy, which the help of a verb does not wait for."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from hyperbaton.alignment import word_order

    return getattr(word_order, name)
