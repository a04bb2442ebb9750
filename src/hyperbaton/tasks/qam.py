"""QAM: does a passage answer a question? (XGLUE, Liang et al. 2020)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.tasks.xglue import Xglue

__all__ = ["Qam"]


@dataclass(frozen=True)
class Qam(Xglue):
    """Question, passage, and 0 or 1; en, de and fr."""

    name: ClassVar[str] = "qam"
    labels: ClassVar[tuple[str, ...]] = ("0", "1")
