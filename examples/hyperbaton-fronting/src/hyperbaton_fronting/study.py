"""A study: does the translation keep its words when the source has its last words in front?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import polars as pl

from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import Comparison, Pair, Parse, Probe, Run
from hyperbaton.report.contents import Contents
from hyperbaton.studies.layer.claims import finding
from hyperbaton.studies.layer.contents import commands, signatures
from hyperbaton.studies.layer.experiment import CommandLine, Demo, ProbeStudy, Score
from hyperbaton.studies.layer.probes import source_side
from hyperbaton.studies.layer.summary import Summary, summarise
from hyperbaton.studies.layer.tables import means_table, score_rows
from hyperbaton_fronting.order import LastToFirst

__all__ = ["Fronting"]

LABELS = {"kept": "kept", "moved": "moved"}


@dataclass(frozen=True)
class Fronting(ProbeStudy):
    """`kept` compares the two translations, `moved` the two sources.

    >>> print(Fronting(), Fronting(words=2))
    fronting fronting(words=2)
    """

    name: ClassVar[str] = "fronting"
    title = "Fronting: does a translation survive it?"
    question = "Does a translation keep its words when the last words of the source come first?"
    demo = Demo(("en-de", "en-fr"), ("gloss",))
    command = CommandLine(printed=("scores",))
    parses = ("source",)

    words: int = field(default=1, metadata={"help": "how many words move", "metavar": "N"})

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Translation with translation, source with source."""
        return (
            Comparison("kept", hypothesis="varied_output", reference="output"),
            Comparison("moved", hypothesis="varied", reference="source", side="source"),
        )

    @property
    def metrics(self) -> tuple[str, ...]:
        """The words in any order, and chrF, which sees the order a little."""
        return ("WordOverlap", "chrF")

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """The sentence, and the sentence with its last words in front."""
        sources = parse([item.source for item in items], [item.id for item in items], pair.source)
        for source in sources:
            yield from source_side(source, None, [LastToFirst(self.words)])

    def contents(self, runs: Sequence[Run]) -> Contents:
        """One finding and the table of all means."""
        summary = self._read(runs)
        kept = summary.lead.mean("kept", system=summary.systems)
        found = [
            finding(
                "Translations of a fronted source keep more than 90 % of their words",
                f"mean {summary.leading} of the two translations",
                kept,
                threshold=0.9,
            )
        ]
        return Contents(
            title=self.title,
            summary=f"{kept.value:.0%} of the words are kept ({', '.join(summary.systems)}).",
            findings=found,
            tables=[means_table(summary, LABELS)],
            figures=[],
            explorer=None,
            signatures=signatures(runs, summary.lead.bootstrap),
            command=commands(runs),
        )

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """Both means for each system and pair."""
        summary = self._read(runs, [metric] if metric else None)
        return score_rows(summary, clean=(), varied=tuple(LABELS))

    def _read(self, runs: Sequence[Run], metrics: Sequence[str] | None = None) -> Summary:
        measures = {name: pl.col(name) for name in LABELS}
        return summarise(runs, measures, [str(LastToFirst(self.words))], ("kept", "kept"), metrics)
