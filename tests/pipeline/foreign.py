"""A package of somebody else: a design with columns and a stage of its own, and a metric.

It is copied into a folder of its own, and found through its entry points.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from hyperbaton.corpus.item import Item
from hyperbaton.metrics import Scores, Segments
from hyperbaton.metrics.edits import ExactMatch
from hyperbaton.pipeline import IDENTITY, Comparison, Design, Pair, Parse, Probe, Run

ENTRY_POINTS = """\
[hyperbaton.metrics]
deadly = fakes:Deadly
"""


@dataclass(frozen=True)
class Deadly(ExactMatch):
    """An exact match that kills its process where the test wants it."""

    name: ClassVar[str] = "deadly"

    def score_each(self, segments: Segments) -> Scores:
        if os.environ.get("DEADLY"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().score_each(segments)


@dataclass(frozen=True)
class Beginnings(Design):
    """Is the translation of a text longer than those of all others?"""

    name: ClassVar[str] = "beginnings"
    poles = ("oracle",)
    columns: ClassVar = {"number": pl.Int16(), "share": pl.Float64(), "tags": pl.List(pl.String())}

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return (
            Comparison("right", hypothesis="output", reference="reference"),
            Comparison("kept", hypothesis="varied_output", reference="output", identity=False),
            Comparison("wording", "source", "varied", side="source", metrics=("chrF",)),
        )

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("ExactMatch",)

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        for item in items:
            number = int(item.id[1:])
            own = {"number": number, "share": number / 3, "tags": ["a"] * (number % 3)}
            text, gold = item.source_text, item.reference_text
            yield Probe(item.id, IDENTITY, text, text, gold, gold, columns=own)
            yield Probe(item.id, "beginning", text, text[:-3], gold, gold, columns=own)

    def whole(self, run: Run, pair: Pair, system: str) -> pl.DataFrame | None:
        outputs = run.table(pair, system, columns=("varied_output",))["varied_output"]
        return outputs.str.len_chars().rank("dense", descending=True).alias("rank").to_frame()
