"""What the structure paper's perturbations do to real sentences, as the specification has it."""

from __future__ import annotations

__all__ = ["REFERENCE"]

REFERENCE = {
    "FullShuffle": (0.202, 0.330),
    "NeighbourFlip(p=0.8)": (0.662, 0.041),
    "NeighbourFlip(p=0.5)": (0.451, 0.026),
    "NeighbourFlip(p=0.3)": (0.508, 0.015),
    "NeighbourFlip(p=0.1)": (0.757, 0.005),
    "NeighbourFlip(p=0.01)": (0.975, 0.000),
    "PhraseShuffle(p=0.975)": (0.216, 0.332),
    "PhraseShuffle(p=0.8)": (0.356, 0.330),
    "PhraseShuffle(p=0.5)": (0.584, 0.333),
    "PhraseShuffle(p=0.2)": (0.839, 0.306),
    "PhraseShuffle(p=0.1)": (0.920, 0.273),
    "PhraseShuffle(p=0.05)": (0.968, 0.224),
}
"""Bigram-F and IDC over the first 300 German sentences of LASER's Tatoeba."""
