"""Surface similarity without a first and a second text: chrF̄2 and symmetric BLEU."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hyperbaton.metrics import METRICS

__all__ = ["BLEU", "CHRF", "surface"]

CHRF = "chrF(symmetric=true)"
BLEU = "BLEU(smooth=none, tokens=13a, symmetric=true)"
"""As the paper has it: no smoothing, so that a pair without a common 4-gram has 0."""


def surface(
    sides: Sequence[tuple[Sequence[str], Sequence[str]]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """chrF̄2 and symmetric BLEU of both sides: two arrays of items × sides, in [0, 1]."""
    chrf, bleu = (
        np.stack([METRICS.parse(spec).sentence_scores(a, b) for a, b in sides], axis=1)
        for spec in (CHRF, BLEU)
    )
    return chrf, bleu
