"""`steered`: a translator in the package that repairs disorder or carries it over, as told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.systems.modes import Mode
from hyperbaton.systems.shipped.packaged import MODELS, Packaged

__all__ = ["FOLDER", "Steered"]

FOLDER = MODELS / "steered"


@dataclass(frozen=True)
class Steered(Packaged):
    """A translator in the package that repairs a source out of order, or keeps its order, as told.

    English to and from de fr es it ru ja zh, as `bundled`.
    """

    name: ClassVar[str] = "steered"

    mode: Mode = "plain"

    @property
    def folder(self) -> Path:
        """Where the model lies."""
        return FOLDER
