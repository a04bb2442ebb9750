"""Characters as units: what chrF and bigram-F count."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hyperbaton.base.compiled import compiled
from hyperbaton.metrics.kernels.texts import Characters

__all__ = ["WHITE", "without_white"]

WHITE = np.array([c for c in range(0x3001) if chr(c).isspace()], np.int32)
"""The code points at which `str.split` splits; none lies above U+3000."""

_IS_WHITE = np.zeros(0x3002, np.bool_)
_IS_WHITE[WHITE] = True


def without_white(texts: Characters) -> Characters:
    """The texts with all white space taken out."""
    return Characters(*_keep(texts.units, texts.offsets, _IS_WHITE))


@compiled
def _keep(
    units: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64], white: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    kept = np.empty(len(units), np.int32)
    ends = np.zeros(len(offsets), np.int64)
    size = 0
    for text in range(len(offsets) - 1):
        for at in range(offsets[text], offsets[text + 1]):
            unit = units[at]
            if not white[min(unit, 0x3001)]:
                kept[size] = unit
                size += 1
        ends[text + 1] = size
    return kept[:size].copy(), ends
