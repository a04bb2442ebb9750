"""`bundled`: the small translator that comes with hyperbaton, English to and from seven others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.systems.shipped.packaged import MODELS, Packaged

__all__ = ["FOLDER", "Bundled"]

FOLDER = MODELS / "bundled"


@dataclass(frozen=True)
class Bundled(Packaged):
    """The translator in the package, English to and from de fr es it ru ja zh; no download."""

    name: ClassVar[str] = "bundled"

    @property
    def folder(self) -> Path:
        """Where the model lies."""
        return FOLDER
