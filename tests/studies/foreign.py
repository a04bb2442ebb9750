"""A study that another package brings: it says what it compares, and no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import fakes  # type: ignore[import-not-found]
import polars as pl

from hyperbaton.studies.layer.experiment import ProbeStudy

ENTRY_POINTS = """\
[hyperbaton.studies]
beginnings = fake_studies:Beginnings
"""


@dataclass(frozen=True)
class Beginnings(fakes.Beginnings, ProbeStudy):  # type: ignore[misc]
    """Scores of rows, and one over the whole corpus."""

    title: ClassVar[str] = "Is the translation of the whole text longest?"
    question: ClassVar[str] = "Is a translation longer than that of its beginning?"

    @property
    def measures(self) -> dict[str, pl.Expr]:
        return {"kept": pl.col("kept"), "first": pl.col("rank") == 1, "rank": pl.col("rank")}
