"""QADSM: does an advertisement fit a query? (XGLUE, Liang et al. 2020)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.tasks.xglue import Xglue

__all__ = ["Qadsm"]


@dataclass(frozen=True)
class Qadsm(Xglue):
    """Query, title and description of the advertisement, Bad or Good; en, de and fr."""

    name: ClassVar[str] = "qadsm"
    texts: ClassVar[int] = 3
    labels: ClassVar[tuple[str, ...]] = ("Bad", "Good")
