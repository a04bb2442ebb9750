"""Which words of a translation stand for which words of its source, and what follows from it."""

from hyperbaton.alignment.aligner import ALIGNERS, Aligner, Link, Links, Pair, Words
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
