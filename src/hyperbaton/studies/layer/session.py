"""Running a study, from Python or any front end, and the session that its results come in."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.options import options_of
from hyperbaton.base.remote_paths import place
from hyperbaton.pipeline import Corpus, Items, Job, Pair, Run, RunOptions
from hyperbaton.report.numbers import bounds, show
from hyperbaton.studies.layer.experiment import Experiment, Score
from hyperbaton.studies.layer.recorded import with_recorded
from hyperbaton.studies.registry import STUDIES, contents_of, make_study
from hyperbaton.systems.system import SYSTEMS

if TYPE_CHECKING:
    import polars

    from hyperbaton.report.contents import Contents, Figure, Finding, Table
    from hyperbaton.studies.layer.answers import Answered

Texts = str | Path | Sequence[str]
"""A file, or the texts themselves."""
_RUN = tuple(
    # A process more, and a script without `if __name__ == "__main__":` would run itself again.
    replace(option, default=0) if option.name == "workers" else option
    for option in options_of(RunOptions)
)


class Session:
    """A finished run with everything that is drawn from it; notebooks show it as the report."""

    def __init__(self, run: Run, keep: TemporaryDirectory[str] | None = None) -> None:
        self.run = run
        self._keep = keep

    @cached_property
    def study(self) -> Experiment:
        """The study with its options."""
        return STUDIES.parse(self.run.record.study)

    @cached_property
    def scores(self) -> polars.DataFrame:
        """A row per probe, system and metric: texts, outputs, scores."""
        return self.run.scores()

    @cached_property
    def summary(self) -> polars.DataFrame:
        """A row per system, pair, variant, metric and score: its mean with a 95 % interval."""
        import polars

        from hyperbaton.studies.layer.answers import with_untranslated

        scores = with_untranslated(self.study.scores([self.run]), [self.run])
        rows = [score.row() for score in scores]
        return polars.DataFrame(rows, infer_schema_length=None)

    @cached_property
    def contents(self) -> Contents:
        """The whole report."""
        return contents_of([self.run])

    @cached_property
    def brief(self) -> Contents:
        """What a command prints of it, without tables, figures and sentences that it does not."""
        return contents_of([self.run], brief=True)

    @property
    def findings(self) -> Sequence[Finding]:
        """The claims of the paper with their verdicts."""
        return self.contents.findings

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables by the paper's numbers."""
        return {table.id: table for table in self.contents.tables}

    @property
    def figures(self) -> Mapping[str, Figure]:
        """The figures by the paper's numbers."""
        return {figure.id: figure for figure in self.contents.figures}

    def report(self, path: str | Path) -> Path:
        """Write the page."""
        from hyperbaton.report import write_report

        write_report(self.contents, Path(path))
        return Path(path)

    def __str__(self) -> str:
        """What was found, in a few lines."""
        contents = self.contents
        answers = [headline.sentence for headline in contents.headlines]
        contests = [contest.sentence for contest in contents.contests]
        claims = [
            f"{finding.verdict}: {finding.claim} "
            f"({show(finding.value)} {bounds(finding.low, finding.high)})"
            for finding in contents.findings
            if not finding.part_of
        ]
        told = [*contents.cautions, *answers, *contests]
        return "\n".join([contents.title, *told, contents.summary, *claims])

    def _repr_html_(self) -> str:
        return self.contents._repr_html_()


def as_object(
    scores: Sequence[Score], findings: Sequence[Finding], answers: Sequence[Answered] = ()
) -> dict[str, object]:
    """What `--format json` prints: plain lists of rows, null for what is no number."""
    return {
        "answers": [one.row() for one in answers],
        "scores": [score.row() for score in scores],
        "findings": [
            {key: _plain(value) for key, value in asdict(finding).items()} for finding in findings
        ],
    }


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def run_study(
    study: Experiment,
    corpora: Sequence[Corpus],
    systems: Sequence[str],
    out: Path | None = None,
    *,
    metrics: Sequence[str] = (),
    only: Mapping[str, tuple[str, ...]] | None = None,
    options: RunOptions | None = None,
) -> Session:
    """Run a study, or resume it where `out` holds a part of it already.

    `only` names further systems for single language pairs; without `metrics` the study chooses.
    Without `out` the run is kept as long as the session that is returned.
    """
    if study.registry is SYSTEMS:
        systems, only = with_recorded(systems, only or {}, corpora)
    job = Job(
        design=study,
        corpora=tuple(corpora),
        systems=tuple(systems),
        metrics=study.chosen(metrics),
        only=only or {},
        options=options or RunOptions(),
    )
    keep = TemporaryDirectory(prefix="hyperbaton-") if out is None else None
    return Session(study.execute(job, Path(keep.name) if keep is not None else out or Path()), keep)


def study(
    name: str,
    system: str | Sequence[str],
    languages: str | Sequence[str] | None = None,
    source: Texts | None = None,
    reference: Texts | None = None,
    *,
    metrics: Sequence[str] = (),
    limit: int | None = None,
    out: str | Path | None = None,
    **options: object,
) -> Session:
    """Run a study by its name; without texts, on the corpus that is shipped.

    `options` are those of any run (docs/python.md lists them) and the study's own, as
    `hyperbaton ls studies` lists them. `workers` above 0 starts processes, so a script then needs
    `if __name__ == "__main__":`. Without `out` the run is deleted with the session that is
    returned. A limit in seconds, in bytes or in money (`prices` are those of a million characters,
    by system) raises OutOfBudget, and the run can be resumed.
    """
    given = {option.name: options.pop(option.name, option.default) for option in _RUN}
    made = make_study(name, options)
    pairs = list(made.demo.pairs[:1]) if languages is None else languages
    pairs = [pairs] if isinstance(pairs, str) else list(pairs)
    return run_study(
        made,
        [_corpus(made, Pair.parse(p), source, reference, limit, len(pairs)) for p in pairs],
        [system] if isinstance(system, str) else system,
        None if out is None else place(out),
        metrics=metrics,
        options=RunOptions.of(given),
    )


def function_of(name: str) -> Callable[..., Session]:
    """A registered study as a function with its options in the signature."""
    cls = STUDIES.get(name)
    common = inspect.signature(study).parameters.values()
    shown = [p for p in common if p.name != "name" and p.kind is not p.VAR_KEYWORD]
    keywords = [
        inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default)
        for option in (*_RUN, *options_of(cls))
    ]
    function = partial(study, name)
    function.__doc__ = f"{cls.title or name}\n\n{cls.question}\n\n{study.__doc__}"
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*shown, *keywords], return_annotation=Session
    )
    return function


def _corpus(
    made: Experiment,
    pair: Pair,
    source: Texts | None,
    reference: Texts | None,
    limit: int | None,
    pairs: int,
) -> Corpus:
    if source is None:
        return made.demo_corpus(pair, limit)
    if pairs > 1:
        raise HyperbatonError("the texts are in one language pair: run the study once per pair")
    if isinstance(source, str | Path):
        paths = [str(source)]
        if isinstance(reference, str | Path):
            paths.append(str(reference))
        elif reference is not None:
            raise HyperbatonError("source is a file but reference is not: give two files")
        return made.corpus(paths, pair, limit)
    if type(made).corpus is not Experiment.corpus:
        raise HyperbatonError(f"{made.name} reads files: give two file names instead of texts")
    if reference is None or isinstance(reference, str | Path):
        raise HyperbatonError("source is a list of texts: give a list of references too")
    return Items.of(pair, source, reference, limit)
