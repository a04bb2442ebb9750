"""What a study is: an experiment with options, a run, a report and scores; mostly of probes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, runtime_checkable

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import (
    Comparison,
    Corpus,
    Design,
    Files,
    Job,
    Pair,
    Parse,
    Probe,
    Run,
    Starter,
    execute,
)

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents, Span
    from hyperbaton.studies.layer.aggregate import Aggregate
    from hyperbaton.studies.layer.samples import Measures

ALL = "all"
"""The variant of a score that is a mean over variants."""


@dataclass(frozen=True)
class Score:
    """A number of a study with its interval: a row of `--format json`, which `check` compares."""

    system: str
    pair: str
    variant: str
    """A variant as it prints, `all` for the mean over variants, `identity` for the clean source."""
    metric: str
    name: str
    value: float
    low: float
    high: float
    n: int
    extra: Mapping[str, str] = field(default_factory=dict)
    """What else tells the row from others, such as its data set."""
    made: Aggregate | None = field(default=None, compare=False, repr=False)
    """The number with its resamples, which pair it with the same number of another run."""

    @classmethod
    def of(
        cls,
        key: tuple[str, str, str, str, str],
        made: Aggregate,
        n: int,
        extra: Mapping[str, str] = MappingProxyType({}),
    ) -> Score:
        """System, pair, variant, metric and name with what was found."""
        return cls(*key, *made.span, n, dict(extra), made)

    def row(self) -> dict[str, str | float | int | None]:
        """The score as JSON holds it: what is no number is null."""
        row = {key: value for key, value in vars(self).items() if key not in ("extra", "made")}
        for key in ("value", "low", "high"):
            row[key] = row[key] if math.isfinite(row[key]) else None
        return {**row, **self.extra}


@dataclass(frozen=True)
class Result:
    """What a study says without a run: of answers that were recorded elsewhere."""

    contents: Contents
    scores: Sequence[Score]


@dataclass(frozen=True)
class Demo:
    """What `hyperbaton demo` runs."""

    pairs: tuple[str, ...] = ("en-de",)
    systems: tuple[str, ...] = ("bundled",)
    limit: int | None = None
    """Sentences in each language, where not all that are shipped."""
    metrics: tuple[str, ...] = ()
    """The metrics, where they are others than those of any run."""
    note: str = ""
    """What it says of itself before it runs."""


@dataclass(frozen=True)
class CommandLine:
    """What the command of a study has that others have not."""

    examples: str = ""
    """Commands that its `--help` shows, two spaces before each."""
    printed: tuple[str, ...] = ()
    """The tables that are printed, by their ids."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The study's own names for -s and -r (`--noisy`, `--corrected`) and what each takes: one file
    the first, one or more the second. TOML knows them without the dashes."""
    takes: tuple[str, ...] = (
        "source texts: plain text, CoNLL-U, TSV or JSON Lines, also .gz",
        "their reference translations, line by line",
    )
    """What -s and -r take where `files` does not say it; one entry: there is no second text."""
    systems: tuple[str, ...] = ("--system",)
    """The flags that name a system, the one that is shown first."""
    metrics: Mapping[str, str] = field(default_factory=dict)
    """Flags beside `-m` that name metrics: what each puts before the name, as `Paraphrase:`."""
    languages: tuple[str, str] = ("SRC-TGT", "e.g. en-de")
    """What `-l` takes, and what its help says."""
    needs_files: bool = True
    """Whether files must be named; otherwise the study may find texts by itself."""
    recorded: str = ""
    """What `--recorded FILE` takes; nothing, where a study reads no answers of others."""


@dataclass(frozen=True)
class Shown:
    """How a report shows a score."""

    label: str
    first: Literal["highest", "lowest"] | None = None
    """Which score comes first where it ranks systems; None where it does not."""
    leads: str = ""
    """What the first in that ranking does beside another, as `is more robust than`."""
    share: bool = False
    """Whether it is a share, which is told in per cent."""


@dataclass(frozen=True)
class Stability:
    """The ranking that says which system holds best; a board is sorted by it."""

    score: str
    limit: float | None = None
    """The value beyond which a system is to be warned of, where there is one."""
    beyond: str = ""
    """What is to be said of such systems."""


@runtime_checkable
class ReadsRecorded(Protocol):
    """A study that can be asked about answers that were recorded elsewhere."""

    def recorded(self, paths: Sequence[Path], command: str = "") -> Result:
        """What there is to say of the answers in some files."""


class Experiment(Design):
    """A design that knows what to say of its runs.

    Its options are its fields; `field(default=…, metadata={"help": …})` says what the command line
    says of them. Further keys there: `flag` (`--with` rather than the field's name), `metavar`, and
    `repeat`: the flag may be repeated, and the field holds the values with semicolons between them.
    """

    title: ClassVar[str] = ""
    question: ClassVar[str] = ""
    """What it asks, in one line."""
    demo: ClassVar[Demo] = Demo()
    command: ClassVar[CommandLine] = CommandLine()
    stability: ClassVar[Stability | None] = None
    plain: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What the scores of its rankings say, in words of every day."""
    suites: ClassVar[tuple[str, ...]] = ()
    """The test suites of WMT that it reads when a board is made of a whole folder."""
    of_lines: ClassVar[bool] = True
    """Whether its corpus can be lines of text: one side, or two."""
    more_is_better: ClassVar[tuple[str, ...]] = ()
    """The scores by which `check --baseline` compares runs, unless it is told others."""
    less_is_better: ClassVar[tuple[str, ...]] = ()
    """Further ones, such as shares of what is lost."""

    @property
    def varies(self) -> tuple[str, ...]:
        """What it does to texts, where the atlas of metrics can tell which metric sees that."""
        return ()

    def own_noise(self, runs: Sequence[Run]) -> Mapping[str, Mapping[str, Aggregate]]:
        """Scores of its rankings where nothing changed, by system: what it does by itself."""
        return {}

    def demo_here(self) -> Demo:
        """The demo as it runs with what is installed."""
        return self.demo

    def corpus(self, paths: Sequence[str], pair: Pair, limit: int | None = None) -> Corpus:
        """The corpus in some files: source and reference, or one table."""
        return Files(pair, tuple(paths), limit)

    def corpora(
        self, paths: Sequence[str], languages: str | None, limit: int | None = None
    ) -> Sequence[Corpus]:
        """The corpora that the command line names: one, unless a study knows more in its data."""
        if not languages:
            raise HyperbatonError("-l is missing: name the languages, e.g. -l en-de")
        return (self.corpus(paths, Pair.parse(languages), limit),)

    def demo_corpus(self, pair: Pair, limit: int | None = None) -> Corpus:
        """The corpus that comes with the package."""
        return Starter(pair, limit or self.demo.limit)

    def chosen(self, metrics: Sequence[str]) -> tuple[str, ...]:
        """The metrics of a run for which these were named."""
        return tuple(metrics) or self.metrics

    def execute(self, job: Job, folder: Path) -> Run:
        """Run a job of this study, or resume it."""
        return execute(job, folder)

    @abstractmethod
    def contents(self, runs: Sequence[Run]) -> Contents:
        """The report on one run, or on several side by side."""

    def brief(self, runs: Sequence[Run]) -> Contents:
        """What a command prints of the report: findings, answers, rankings, its tables."""
        return self.contents(runs)

    @abstractmethod
    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """The numbers of runs with their intervals, of one metric or of all."""


class ProbeStudy(Experiment, ABC):
    """An experiment on probes: sentences and their variants, translated and compared.

    It says how probes are made (`probes`), which columns are compared (`comparisons`) with which
    metrics (`metrics`), and how their scores are shown (`shown`). Unless it says more, its report
    has the means of all its measures.
    """

    shown: ClassVar[Mapping[str, Shown]] = MappingProxyType({})
    """The measures whose names are not for readers, or that rank systems."""
    again: ClassVar[tuple[str, str] | None] = None
    """Two scores of a clean source, by its translation and by a second one: their distance is the
    noise of a system."""

    @property
    @abstractmethod
    def comparisons(self) -> tuple[Comparison, ...]:
        """Which pairs of columns are compared."""

    @property
    @abstractmethod
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are used unless others are named."""

    @abstractmethod
    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """The probes of some items: a pure function, the same however items are cut into parts."""

    @property
    def order(self) -> tuple[str, ...]:
        """The variants in the order in which they are shown; as they come, where none is named."""
        return ()

    @property
    def measures(self) -> Measures:
        """The scores of a row by name, as expressions: every comparison by each metric."""
        import polars as pl

        return {c.name: pl.col(c.name) for c in self.comparisons if c.metrics is None}

    def answer(self, system: str, found: Mapping[str, Aggregate]) -> str:
        """What a system does, in a sentence made of the means that it has; maybe nothing."""
        return ""

    def details(self, found: Mapping[str, Mapping[str, Aggregate]]) -> str:
        """What follows the answer: which variants stand out, of the means by variant."""
        return ""

    def by_variant(self, found: Mapping[str, Mapping[str, Aggregate]]) -> Mapping[str, Span]:
        """The shares of single variants that stand beneath the answer."""
        return {}

    def brief(self, runs: Sequence[Run]) -> Contents:
        """The answer for each system, and the rankings; else the report that a study makes."""
        from hyperbaton.studies.layer.contents import brief

        own = type(self).contents is not ProbeStudy.contents
        return self.contents(runs) if own else brief(self, runs)

    def contents(self, runs: Sequence[Run]) -> Contents:
        """All means, the differences of systems, a figure per metric, single sentences."""
        from hyperbaton.studies.layer.contents import outline

        return outline(self, runs)

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """The means of all measures."""
        from hyperbaton.studies.layer.contents import read
        from hyperbaton.studies.layer.tables import score_rows

        summary = read(self, runs, [metric] if metric else None)
        names = tuple(self.measures)
        return [score for score in score_rows(summary, (), names, names) if score.n]
