"""A finished study in Python: its scores, outcomes, tables, figures and report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.given import path_in
from hyperbaton.base.remote_paths import place
from hyperbaton.base.spec import split
from hyperbaton.base.wording import bounds, counted, show
from hyperbaton.pipeline import Run
from hyperbaton.studies.layer.experiment import Experiment, Score
from hyperbaton.studies.registry import STUDIES, contents_of

if TYPE_CHECKING:
    import polars

    from hyperbaton.report.contents import Contents, Figure, Finding, Table
    from hyperbaton.studies.layer.answers import Answered


class Session:
    """A finished run with everything that is drawn from it, or several runs side by side.

    A folder or an address opens a run on disk; notebooks show a session as its report.
    """

    def __init__(self, *runs: Run | str | Path, keep: object = None) -> None:
        if not runs:
            raise HyperbatonError("a session needs a run: give the folder that a study wrote")
        self.runs = tuple(map(_opened, runs))
        self.claims: Sequence[str] = ()
        """The claims that are asked, by their ids in the register; all, unless some are named."""
        self._keep = keep
        """What must not go before this session, such as the folder of its run."""

    @property
    def run(self) -> Run:
        """The run, where it is one."""
        if len(self.runs) > 1:
            raise HyperbatonError(f"this session has {len(self.runs)} runs: see .runs")
        return self.runs[0]

    @property
    def study(self) -> Experiment:
        """The study with its options."""
        return STUDIES.parse(self.run.record.study)

    @cached_property
    def scores(self) -> polars.DataFrame:
        """A row per probe, system and metric: texts, outputs, scores, and the outcome if judged."""
        return self._beside([run.scores() for run in self.runs])

    @cached_property
    def summary(self) -> polars.DataFrame:
        """A row per system, pair, variant, metric and score: its mean with a 95 % interval."""
        import polars

        from hyperbaton.studies.layer.answers import with_untranslated

        frames = []
        for run in self.runs:
            study = STUDIES.parse(run.record.study)
            rows = [score.row() for score in with_untranslated(study.scores([run]), [run])]
            frames.append(polars.DataFrame(rows, infer_schema_length=None))
        return self._beside(frames)

    @property
    def outcomes(self) -> polars.DataFrame:
        """What became of the samples: a row per system, pair, variant and outcome.

        With the share of the samples that the variation changed, and its 95 % interval.
        """
        import polars

        from hyperbaton.metrics.outcomes import OUTCOMES

        rows = self.summary.filter(polars.col("name").is_in(OUTCOMES))
        if "repaired" not in rows["name"]:
            studies = ", ".join(dict.fromkeys(split(run.record.study).name for run in self.runs))
            raise HyperbatonError(
                f"{studies} does not tell repaired, carried over and lost apart: see "
                "print(session) for its answer, session.summary for its numbers"
            )
        # They are the same beside every metric, and poles have them too.
        keys = [
            name for name in ("run", "system", "pair", "variant", "name") if name in rows.columns
        ]
        kept = rows.unique(keys, keep="first", maintain_order=True)
        return kept.select(
            *keys[:-1],
            polars.col("name").alias("outcome"),
            polars.col("value").alias("share"),
            "low",
            "high",
            "n",
        )

    @cached_property
    def contents(self) -> Contents:
        """The whole report."""
        return contents_of(self.runs, claims=self.claims)

    @cached_property
    def brief(self) -> Contents:
        """What a command prints of it, without tables, figures and sentences that it does not."""
        return contents_of(self.runs, brief=True, claims=self.claims)

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

    def _beside(self, frames: Sequence[polars.DataFrame]) -> polars.DataFrame:
        """The tables of all runs as one, each row with its run where there are several."""
        import polars as pl

        if len(frames) == 1:
            return frames[0]
        names = [pl.lit(str(run.folder)).alias("run") for run in self.runs]
        both = zip(frames, names, strict=True)
        return pl.concat([f.select(name, pl.all()) for f, name in both], how="diagonal_relaxed")

    def __str__(self) -> str:
        """What was found, in a few lines."""
        contents = self.contents
        claims = [
            f"{finding.verdict}: {finding.claim} "
            f"({show(finding.value)} {bounds(finding.low, finding.high)})"
            for finding in contents.findings
            if not finding.part_of and finding.verdict != "not asked"
        ]
        return "\n".join([contents.title, *contents.answers, contents.summary, *claims])

    def __repr__(self) -> str:
        told, temporary = [], isinstance(self._keep, TemporaryDirectory)
        for run in self.runs:
            record = run.record
            items = ", ".join(
                f"{counted(done.items, 'item')} {pair}" for pair, done in record.progress.items()
            )
            where = "deleted with this session" if temporary else str(run.folder)
            told.append(f"{record.study}: {', '.join(run.systems)}; {items}; {where}")
        return f"<Session {' | '.join(told)}>"

    def _repr_html_(self) -> str:
        return self.contents._repr_html_()


def _opened(run: Run | str | Path) -> Run:
    """A run that there is: a folder without one is told of at once."""
    if isinstance(run, Run):
        return run
    run = path_in(run, "a run")
    found = Run(place(Path(run).expanduser() if str(run).startswith("~") else run))
    _ = found.record
    return found


def open(run: str | Path) -> Session:  # noqa: A001 - hyperbaton.open
    """Open a run on disk, by whatever command it was made."""
    return Session(run)


def compare(*runs: Session | Run | str | Path) -> Session:
    """Set runs side by side, as `hyperbaton report A B` does.

    Tables have a column `run`; runs of one study are compared in one report, with the rankings of
    their systems.
    """
    if len(runs) < 2:
        raise HyperbatonError("compare takes two runs or more: sessions, or folders of runs")
    parts: list[Run | str | Path] = []
    for run in runs:
        parts += run.runs if isinstance(run, Session) else [run]
    return Session(*parts, keep=runs)


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
