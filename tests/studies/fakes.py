"""Studies of labels and of vectors, as another package brings them: they say what they compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import fakes  # type: ignore[import-not-found]
import polars as pl

from hyperbaton.studies.study import Study

ENTRY_POINTS = """\
[hyperbaton.studies]
inference = fake_studies:Inference
retrieval = fake_studies:Retrieval
"""


@dataclass(frozen=True)
class Inference(fakes.Inference, Study):  # type: ignore[misc]
    """Labels of pairs of texts."""

    title: ClassVar[str] = "Does the label stay when two texts change places?"
    question: ClassVar[str] = "Is a pair classified the same when its texts change places?"


@dataclass(frozen=True)
class Retrieval(fakes.Retrieval, Study):  # type: ignore[misc]
    """Vectors, judged over the whole corpus."""

    title: ClassVar[str] = "Is a text found by its beginning?"
    question: ClassVar[str] = "Is a text nearest to its own beginning?"

    @property
    def measures(self) -> dict[str, pl.Expr]:
        return {"first": pl.col("rank") == 1, "rank": pl.col("rank")}
