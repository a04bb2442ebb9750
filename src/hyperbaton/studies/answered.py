"""What systems answered with: how many rows failed, and how many answers are no translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from hyperbaton.base.wording import counted
from hyperbaton.language.languages import name
from hyperbaton.pipeline import Run
from hyperbaton.pipeline.run.completeness import Failures
from hyperbaton.pipeline.run.grid_parts import cell_frames
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.stats import Bootstrap, ratios
from hyperbaton.studies.layer.aggregate import NOTHING, of_sums
from hyperbaton.studies.layer.sources import Source, sources
from hyperbaton.studies.study import ALL, Score
from hyperbaton.systems.untranslated import COPIED

__all__ = ["LIMIT", "Answered", "answered", "cautions", "with_untranslated"]

LIMIT = 0.03
"""The share of untranslated rows from which a reader is told first."""
_FEWEST = 3
"""Rows that must be untranslated for that."""
_METRIC = "answers"
"""What stands for the metric of a share that needs none."""


@dataclass(frozen=True)
class Answered:
    """The rows of one system in one language pair."""

    system: str
    pair: str
    rows: int
    failures: Failures | None = None
    copied: int = 0
    """Answers that are the source."""
    languages: Mapping[str, int] | None = None
    """Answers in another language than asked for, by its code."""
    control: bool = False

    @property
    def failed(self) -> int:
        """Rows without an answer."""
        return 0 if self.failures is None else self.failures.failed

    @property
    def foreign(self) -> int:
        """Answers in another language."""
        return sum((self.languages or {}).values())

    @property
    def untranslated(self) -> int:
        """Answers that are no translations."""
        return self.copied + self.foreign

    @property
    def is_told(self) -> bool:
        """Whether so many are no translations that a reader must know; a control is meant so."""
        many = self.untranslated >= max(_FEWEST, LIMIT * (self.rows - self.failed))
        return many and not self.control

    def said(self) -> str:
        """How many are no translations, and what they are."""
        of = f"{self.untranslated:,} of {counted(self.rows, 'row')}"
        head = f"{self.system} left {of} untranslated in {self.pair}"
        known = sorted((self.languages or {}).items(), key=lambda one: -one[1])
        named = ", ".join(f"{name(code)} {count:,}" for code, count in known)
        if not self.foreign:
            return f"{head}: they are copies of the source."
        if not self.copied:
            return f"{head}: they are in another language ({named})."
        other = f"{self.foreign:,} are in another language ({named})"
        return f"{head}: {self.copied:,} are copies of the source, {other}."

    def row(self) -> dict[str, object]:
        """The counts as JSON holds them."""
        reasons = {} if self.failures is None else dict(self.failures.reasons)
        return {
            "system": self.system,
            "pair": self.pair,
            "rows": self.rows,
            "failed": self.failed,
            "reasons": reasons,
            "copied": self.copied,
            "other_language": dict(self.languages or {}),
        }


def answered(runs: Sequence[Run]) -> list[Answered]:
    """Every system in every pair, without the poles; nothing of designs that do not translate."""
    failures = {run.folder: run.failures() for run in runs}
    return [
        found
        for source in sources(runs)
        if not source.pole
        for found in _answered(source, failures[source.run.folder].get((source.name, source.pair)))
    ]


def _answered(source: Source, failures: Failures | None) -> Iterator[Answered]:
    told: Counter[str] = Counter()
    rows = 0
    if source.run.record.cells:
        for frame in cell_frames(source.run, source.name, source.pair):
            rows += frame["scores"].explode().len()
            if UNTRANSLATED in frame.columns:
                told.update(what for some in frame[UNTRANSLATED].to_list() for what in some)
    else:
        columns = ("item", UNTRANSLATED)
        for part in source.run.parts(source.pair, source.name, columns=columns):
            rows += part.height
            told.update(part[UNTRANSLATED].drop_nulls().to_list())
    copied = told.pop(COPIED, 0)
    languages = dict(told.most_common())
    pair = str(source.pair)
    yield Answered(source.system, pair, rows, failures, copied, languages, source.control)


def cautions(runs: Sequence[Run]) -> list[str]:
    """What a reader must know before any number: rows that failed, answers that are none."""
    found = answered(runs)
    failed = [
        f"{one.system} {one.failures.said(one.pair)}. No number includes these rows."
        for one in found
        if one.failures is not None
    ]
    return failed + [one.said() for one in found if one.is_told]


def with_untranslated(scores: Sequence[Score], runs: Sequence[Run]) -> list[Score]:
    """Scores with the share of untranslated rows, where a study does not count them by itself."""
    known = any(score.name == UNTRANSLATED for score in scores)
    return [*scores, *([] if known or not scores else map(_share, _translators(runs)))]


def _translators(runs: Sequence[Run]) -> list[Source]:
    return [s for s in sources(runs) if not (s.pole or s.run.record.cells)]


def _share(source: Source) -> Score:
    """The share of its answers that are no translations, with an interval over items."""
    columns = ("item", "varied_output", UNTRANSLATED)
    parts = source.run.parts(source.pair, source.name, columns=columns)
    there = pl.concat(part.filter(pl.col("varied_output").is_not_null()) for part in parts)
    items = there.group_by("item", maintain_order=True).agg(
        pl.col(UNTRANSLATED).count().alias("untranslated"), pl.len().alias("answers")
    )
    table = items.select("untranslated", "answers").to_numpy().astype(np.float64)
    found = of_sums(table, ratios, Bootstrap()).as_share() if len(table) else NOTHING
    return Score(
        source.system, str(source.pair), ALL, _METRIC, UNTRANSLATED, *found.span, there.height
    )
