"""A package of somebody else's that brings a study: a module and its metadata on a path."""

from __future__ import annotations

from pathlib import Path

MODULE = '''\
"""Shouting: is a text in capitals translated like the text itself?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import polars as pl

from hyperbaton.pipeline import IDENTITY, Comparison, Probe
from hyperbaton.report.contents import Contents, Finding, Table
from hyperbaton.studies.layer.experiment import ALL, CommandLine, Demo, ProbeStudy, Score


@dataclass(frozen=True)
class Shout(ProbeStudy):
    """Put a text in capitals."""

    name: ClassVar[str] = "shout"
    title = "Shouting: are capitals translated like small letters?"
    question = "Does a translator give the same translation for a text in capitals?"
    demo = Demo(("en-de", "en-fr"), ("copy",))
    command = CommandLine(printed=("S1",))

    mark: str = field(default="!", metadata={"help": "what a shout ends with"})
    times: int = 1
    end: Literal["mark", "none"] = "mark"
    trimmed: bool = field(default=False, metadata={"help": "without white space at the ends"})
    words: str = field(default="", metadata={"help": "leave these alone", "repeat": True})

    @property
    def comparisons(self):
        return (Comparison("kept", hypothesis="varied_output", reference="output"),)

    @property
    def metrics(self):
        return ("chrF", "Levenshtein")

    def probes(self, items, pair, parse):
        for item in items:
            text = item.source_text
            loud = text.upper() + self.mark * self.times * (self.end == "mark")
            yield Probe(item.id, IDENTITY, text, text)
            yield Probe(item.id, "shout", text, loud)

    def scores(self, runs, metric=None):
        found = []
        for run in runs:
            for system in run.systems:
                for pair in run.pairs_of(system):
                    for name in [metric] if metric else run.metrics:
                        rows = run.table(pair, system, name, ["variant", "kept"])
                        kept = rows.filter(pl.col("variant") == "shout")["kept"]
                        value = kept.mean()
                        place = system, str(pair), ALL, name, "kept"
                        found.append(Score(*place, value, kept.min(), kept.max(), len(kept)))
        return found

    def contents(self, runs):
        scores = self.scores(runs)
        table = pl.DataFrame([score.row() for score in scores])
        first = scores[0]
        return Contents(
            title=self.title,
            summary=f"{len(scores)} scores",
            findings=[
                Finding("Shouts are kept.", "mean", first.value, first.low, first.high, "holds")
            ],
            tables=[Table("S1", "all scores", table)],
            figures=[],
            explorer=None,
            signatures=[],
            command=runs[0].record.command,
        )
'''
METADATA = """\
Metadata-Version: 2.1
Name: shouting
Version: 1.0
Summary: Is shouting translated like speaking?
"""
ENTRY_POINTS = """\
[hyperbaton.studies]
shout = shouting:Shout
"""


def install(folder: Path) -> Path:
    """Lay the package out as an installer does; put the folder on the path to use it."""
    (folder / "shouting.py").write_text(MODULE, encoding="utf-8")
    metadata = folder / "shouting-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(METADATA)
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder
