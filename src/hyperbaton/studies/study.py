"""What a study is: an experiment, and what is said of its scores. A new study is one file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.remote_paths import place
from hyperbaton.base.spec import Registry
from hyperbaton.pipeline import Corpus, Design, Files, Job, Pair, Run, Starter, execute

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents
    from hyperbaton.studies.layer.aggregate import Aggregate
    from hyperbaton.studies.layer.samples import Measures

__all__ = ["ALL", "STUDIES", "Result", "Score", "Study", "load_contents"]

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

    def row(self) -> dict[str, str | float | int | None]:
        """The score as JSON holds it: what is no number is null."""
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        return {
            "system": self.system,
            "pair": self.pair,
            "variant": self.variant,
            "metric": self.metric,
            "name": self.name,
            **{key: number if math.isfinite(number) else None for key, number in numbers.items()},
            "n": self.n,
            **self.extra,
        }


@dataclass(frozen=True)
class Result:
    """What a study says without a run: of answers that were recorded elsewhere."""

    contents: Contents
    scores: Sequence[Score]


class Study(Design):
    """A design that knows what to say of its runs.

    How probes are made (`probes`), which columns are compared (`comparisons`) with which metrics
    (`metrics`), and which findings, tables and figures come of it (`contents`). Its options are
    its fields; `field(default=…, metadata={"help": …})` says what the command line says of them.
    Further keys there: `flag` (`--with` rather than the field's name), `metavar`, and `repeat`:
    the flag may be repeated, and the field holds the values with semicolons between them.
    """

    title: ClassVar[str] = ""
    question: ClassVar[str] = ""
    """What it asks, in one line."""
    systems: ClassVar[tuple[str, ...]] = ("bundled",)
    """The systems of the demo."""
    demo_pairs: ClassVar[tuple[str, ...]] = ("en-de",)
    demo_metrics: ClassVar[tuple[str, ...]] = ()
    """The metrics of the demo, where they are others than those of any run."""
    demo_limit: ClassVar[int | None] = None
    """Sentences of the demo in each language, where not all that are shipped."""
    demo_note: ClassVar[str] = ""
    """What the demo says of itself before it runs."""
    metric_flags: ClassVar[Mapping[str, str]] = {}
    """Flags beside `-m` that name metrics: what each puts before the name, as `Paraphrase:`."""
    file_flags: ClassVar[Mapping[str, str]] = {}
    """The study's own names for -s and -r (`--noisy`, `--corrected`) and what each takes: one file
    the first, one or more the second. TOML knows them without the dashes."""
    system_flags: ClassVar[tuple[str, ...]] = ("--system",)
    """The flags that name a system, the one that is shown first."""
    languages_help: ClassVar[tuple[str, str]] = ("SRC-TGT", "e.g. en-de")
    """What `-l` takes, and what its help says."""
    without_files: ClassVar[bool] = False
    """Whether it may find texts although no file is named."""
    recorded_help: ClassVar[str] = ""
    """What `--recorded FILE` takes; nothing, where a study reads no answers of others."""
    examples: ClassVar[str] = ""
    """Commands that its `--help` shows, two spaces before each."""
    printed: ClassVar[tuple[str, ...]] = ()
    """The tables that the command line prints, by their ids."""
    labels: ClassVar[Mapping[str, str]] = {}
    """What scores are called in a report."""
    ranked: ClassVar[Mapping[str, bool]] = {}
    """The scores that rank several systems, and whether the highest comes first."""
    leads: ClassVar[Mapping[str, str]] = {}
    """What the first in a ranking does beside another, by score, as `is more robust than`."""
    again: ClassVar[tuple[str, str] | None] = None
    """Two scores of a clean source, by its translation and by a second one: their distance is the
    noise of a system."""

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
        return Starter(pair, limit or self.demo_limit)

    def chosen(self, metrics: Sequence[str]) -> tuple[str, ...]:
        """The metrics of a run for which these were named."""
        return tuple(metrics) or self.metrics

    def answer(self, system: str, found: Mapping[str, Aggregate]) -> str:
        """What a system does, in a sentence made of the means that it has; maybe nothing."""
        return ""

    @property
    def order(self) -> tuple[str, ...]:
        """The variants in the order in which they are shown; as they come, where none is named."""
        return ()

    @property
    def measures(self) -> Measures:
        """The scores of a row by name, as expressions: every comparison by each metric."""
        import polars as pl

        return {c.name: pl.col(c.name) for c in self.comparisons if c.metrics is None}

    def execute(self, job: Job, folder: Path) -> Run:
        """Run a job of this study, or resume it."""
        return execute(job, folder)

    def contents(self, runs: Sequence[Run]) -> Contents:
        """The report on one run, or on several side by side: unless more is said, all means."""
        from hyperbaton.studies.layer.contents import outline

        return outline(self, runs)

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """The numbers of runs with their intervals, of one metric or of all."""
        from hyperbaton.studies.layer.contents import read
        from hyperbaton.studies.layer.tables import score_rows

        summary = read(self, runs, [metric] if metric else None)
        names = tuple(self.measures)
        return [score for score in score_rows(summary, (), names, names) if score.n]

    def recorded(self, paths: Sequence[Path], command: str = "") -> Result:
        """What there is to say of answers that were recorded elsewhere."""
        raise HyperbatonError(f"{self.name} reads no recorded answers: give it a corpus")


STUDIES: Registry[Study] = Registry(
    "study",
    {
        "wordorder": "hyperbaton.studies.wordorder:WordOrder",
        "isometry": "hyperbaton.studies.isometry.study:Isometry",
        "surface": "hyperbaton.studies.surface:Surface",
        "repairs": "hyperbaton.studies.repairs:Repairs",
        "grammar": "hyperbaton.studies.grammar.study:Grammar",
        "structure": "hyperbaton.studies.structure.study:Structure",
    },
    plural="studies",
)
"""Every study by name; run.json holds a study as it prints, so that its report can be drawn."""


def load_contents(folders: Sequence[Path]) -> Contents:
    """The report on finished runs; a study compares its own, several studies follow one another."""
    if not folders:
        raise HyperbatonError("no run was given: name the folder that --out wrote")
    from hyperbaton.report.runs import side_by_side

    groups: dict[str, tuple[Study, list[Run]]] = {}
    for run in map(Run, map(place, folders)):
        study = STUDIES.parse(run.record.study)
        groups.setdefault(study.name, (study, []))[1].append(run)
    return side_by_side({name: _told(study, runs) for name, (study, runs) in groups.items()})


def _told(study: Study, runs: Sequence[Run]) -> Contents:
    """The report of a study, with what a reader must know before any number."""
    from hyperbaton.studies.layer.answers import cautions

    contents = study.contents(runs)
    return replace(contents, cautions=[*cautions(runs), *contents.cautions])
