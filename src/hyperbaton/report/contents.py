"""What a report is made of: findings, tables, figures, single sentences; no study is known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import altair
    import polars

__all__ = ["Contents", "Explorer", "Figure", "Finding", "Table", "Verdict"]

Verdict = Literal["holds", "does not hold", "undecided"]


@dataclass(frozen=True)
class Finding:
    """A claim of a paper, put to the test on this run."""

    claim: str
    statistic: str
    """What was measured, in words: `mean β1 − β2`."""
    value: float
    low: float
    high: float
    verdict: Verdict
    detail: str = ""
    """What else the reader should know: per language, the paper's own figure."""


@dataclass(frozen=True)
class Table:
    """A table of the study, by the number that the paper gives it."""

    id: str
    title: str
    data: polars.DataFrame
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure of the study as a Vega-Lite description."""

    id: str
    title: str
    chart: altair.TopLevelMixin
    note: str = ""


@dataclass(frozen=True)
class Explorer:
    """Single sentences: one row per probe and system, columns by role.

    `texts` maps a column of `rows` to its label, in the order shown; `orders` maps a text column to
    the column with the order of its words (so that words can be coloured by where they came from)
    and `words` to the column that holds them as a list; `scores` and `filters` are further columns.
    """

    rows: polars.DataFrame
    texts: Mapping[str, str]
    scores: Mapping[str, str]
    filters: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=dict)
    orders: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Contents:
    """A whole report."""

    title: str
    summary: str
    findings: Sequence[Finding]
    tables: Sequence[Table]
    figures: Sequence[Figure]
    explorer: Explorer | None
    signatures: Sequence[str]
    command: str
    notes: Sequence[str] = ()
