"""What a report is made of: findings, tables, figures, single sentences; no study is known here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import altair
    import polars

    from hyperbaton.report.board import Board

Verdict = Literal["holds", "does not hold", "undecided", "not asked"]


@dataclass(frozen=True)
class Finding:
    """A claim of a paper, put to the test on this run."""

    claim: str
    statistic: str
    """What was measured, in words: `mean β1 − β2`; findings of one statistic share a scale."""
    value: float
    low: float
    high: float
    verdict: Verdict
    detail: str = ""
    """What else the reader should know: per language, the paper's own figure."""
    threshold: float = 0.0
    """The value that decides; a line marks it beside the interval."""
    run: str = ""
    """The run it comes from, where several stand side by side."""
    p: float = float("nan")
    """Two-sided: could the value be the threshold?"""
    adjusted: float = float("nan")
    """p corrected for the number of claims in the report; it decides."""
    n: int = 0
    """The items behind it."""
    part_of: str = ""
    """The claim that it repeats for a part of the data, into which it is folded."""
    id: str = ""
    """The claim in the register (`hyperbaton ls claims`)."""
    uncorrected: Verdict = "undecided"
    """The verdict of p as it is; `verdict` is that of `adjusted`."""

    def _repr_html_(self) -> str:
        from hyperbaton.report.notebook import finding_html

        return finding_html(self)


@dataclass(frozen=True)
class Table:
    """A table of the study, by the number that the paper gives it."""

    id: str
    title: str
    data: polars.DataFrame
    note: str = ""
    best: Sequence[str] = ()
    """Columns whose greatest value is bold in LaTeX, among systems that compete."""
    controls: Sequence[str] = ()
    """Systems that do not compete."""
    percent: Collection[str] = ()
    """Columns of shares, which page and terminal show in per cent, as the ends of their intervals;
    in the data they go from 0 to 1."""

    def is_share(self, column: str) -> bool:
        """Whether a column holds shares, or ends of their intervals."""
        return column.removesuffix(" low").removesuffix(" high") in self.percent

    def _repr_html_(self) -> str:
        from hyperbaton.report.notebook import table_html

        return table_html(self)


@dataclass(frozen=True)
class Figure:
    """A figure of the study as a Vega-Lite description."""

    id: str
    title: str
    drawn: dict[str, object] | altair.TopLevelMixin
    """The description itself, or an Altair chart."""
    note: str = ""
    run: str = ""

    @property
    def chart(self) -> altair.TopLevelMixin:
        """The figure as an Altair chart, to be shown, changed or saved."""
        if not isinstance(self.drawn, dict):
            return self.drawn
        import altair

        made: altair.TopLevelMixin = altair.Chart.from_dict(self.drawn)
        return made

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, object], dict[str, object]] | dict[str, object]:
        from hyperbaton.report.notebook import figure_bundle

        return figure_bundle(self)


@dataclass(frozen=True)
class Explorer:
    """Single sentences: one row per probe and system, columns by role.

    `texts` maps a column of `rows` to its label, in the order shown; `scores` (numbers) and
    `filters` (few values each: text, numbers or booleans) map further columns to labels.

    `words` maps a text column to a column with a list of words, and `orders` to a column with a
    list of integers: the text shows the words in that order, `words[order[i]]` in place `i`; a text
    without an order shows them as they are. Texts that name the same column of words are linked:
    they share colours by the place in that list, and pointing at a word shows it in all of them.
    So source and perturbed source both name the words of the source, and only the second has an
    order. `languages` maps a text column to the column with its language code.

    `marks` maps a text column with words to a column with the places of those that stand out, a
    list of integers; they are marked and the others plain, without colours. `labels` maps it to a
    list as long as the marks: what stands beneath each. Any cell of a text, words, order, language,
    mark, label or score may be null.

    `item` is the column with the id of a sentence, and `within` names the columns without which
    ids are not unique, such as the language pair. The samples of one sentence differ `along` some
    of the filters (perturbation, system) and can be seen together; `rivals` is the one along which
    they compete, by the score `lead` unless the reader chooses another. `compared` are two texts
    whose words are compared. `metrics` maps a score to its metric where there are several, and
    `fields` maps what figures call a column to the column.
    """

    rows: polars.DataFrame
    texts: Mapping[str, str]
    scores: Mapping[str, str]
    filters: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=dict)
    orders: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    item: str = ""
    within: Sequence[str] = ()
    along: Sequence[str] = ()
    rivals: str = ""
    lead: str = ""
    compared: tuple[str, str] | None = None
    metrics: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    """What the reader should know of the rows, such as that they are a choice."""


Span = tuple[float, float, float]
"""A value with both ends of its interval."""


@dataclass(frozen=True)
class Picture:
    """A system as a point between two shares, with the points that it is the mean of."""

    titles: tuple[str, str]
    """What lies across and what upwards."""
    centre: tuple[Span, Span]
    points: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    column: str = ""
    """The filter of the explorer that holds the names of the points."""
    corners: Sequence[str] = ()
    """What is meant by the upper right, the lower right and the left."""


@dataclass(frozen=True)
class Headline:
    """What the report says of one system before anything else."""

    name: str
    sentence: str
    shares: Mapping[str, Span] = field(default_factory=dict)
    """Parts of a whole, which are drawn as one bar."""
    numbers: Mapping[str, Span] = field(default_factory=dict)
    picture: Picture | None = None
    run: str = ""
    """What it is about, where a report has several runs."""
    percent: Collection[str] = ()
    """The numbers that are shown in per cent."""


@dataclass(frozen=True)
class Duel:
    """One system minus another by a score, on the same sentences."""

    first: str
    second: str
    value: Span
    p: float
    """Two-sided, corrected for the number of differences in the contest."""
    certain: bool


@dataclass(frozen=True)
class Contest:
    """Systems by a score: those whose difference is not certain share a rank; no controls."""

    score: str
    sentence: str
    """Who comes first, by how much, and whether that is certain."""
    ranks: Mapping[str, tuple[int, Span]]
    """The rank and the score of each system, the first one first."""
    duels: Sequence[Duel]
    column: str = ""
    """The score of the explorer by which its sentences can be compared."""
    lower: bool = False
    """Whether the lowest comes first."""
    run: str = ""
    """What it is about, where a report has several runs."""
    share: bool = False
    """Whether it is a share, which is shown in per cent."""


@dataclass(frozen=True)
class Example:
    """A row of the explorer that shows what the report is about."""

    row: int
    note: str


def _of(run: str, sentence: str) -> str:
    """A sentence with the run that it is about."""
    return f"{run}: {sentence}" if run else sentence


@dataclass(frozen=True)
class Contents:
    """A whole report."""

    title: str
    summary: str = ""
    findings: Sequence[Finding] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    explorer: Explorer | None = None
    signatures: Sequence[str] = ()
    command: str = ""
    notes: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    """When and where the runs were made, and of what; a line each."""
    cautions: Sequence[str] = ()
    """What a reader must know before any number; on the first screen, above all else."""
    headlines: Sequence[Headline] = ()
    """The answer for each system, on the first screen."""
    contests: Sequence[Contest] = ()
    """The systems against each other, by the most telling score first."""
    rivals: str = "Systems"
    """What is compared, as the heading of the rankings."""
    opening: str = ""
    """What stands above the answers in the place of who comes first."""
    examples: Sequence[Example] = ()
    """The first is on the first screen, all are on paper."""
    glossary: Mapping[str, str] = field(default_factory=dict)
    """What words mean, the most needed first; they carry it as a tooltip wherever they stand."""
    board: Board | None = None
    """Many systems by many measures, above everything else."""

    @property
    def openings(self) -> list[str]:
        """The first sentences: what the study opens with, or who comes first in each run."""
        if self.opening:
            return [self.opening]
        first: dict[str, Contest] = {}
        for contest in self.contests if self.headlines else ():
            first.setdefault(contest.run, contest)
        return [_of(run, one.sentence) for run, one in first.items()]

    @property
    def answers(self) -> list[str]:
        """All that is said of the systems, in the order of the page."""
        told = [*self.cautions, *self.openings]
        told += [_of(one.run, one.sentence) for one in self.headlines]
        told += [_of(one.run, one.sentence) for one in self.contests]
        return list(dict.fromkeys(told))

    def _repr_html_(self) -> str:
        from hyperbaton.report.notebook import contents_html

        return contents_html(self)
