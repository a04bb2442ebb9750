"""A finished study in Python: its scores, tables, figures and report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hyperbaton.pipeline import Run
from hyperbaton.report.numbers import bounds, show
from hyperbaton.studies.study import STUDIES, Score, Study, load_contents

if TYPE_CHECKING:
    import polars

    from hyperbaton.report.contents import Contents, Figure, Finding, Table
    from hyperbaton.studies.answered import Answered

__all__ = ["Session", "as_object"]


class Session:
    """A finished run with everything that is drawn from it; notebooks show it as the report."""

    def __init__(self, run: Run, keep: TemporaryDirectory[str] | None = None) -> None:
        self.run = run
        self._keep = keep

    @cached_property
    def study(self) -> Study:
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

        from hyperbaton.studies.answered import with_untranslated

        scores = with_untranslated(self.study.scores([self.run]), [self.run])
        rows = [score.row() for score in scores]
        return polars.DataFrame(rows, infer_schema_length=None)

    @cached_property
    def contents(self) -> Contents:
        """The whole report."""
        return load_contents([self.run.folder])

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
