"""The one way to run a study: from the command line, a TOML file, Python or the demo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hyperbaton.pipeline import Corpus, Job, RunOptions
from hyperbaton.studies.session import Session
from hyperbaton.studies.study import Study

__all__ = ["run_study"]


def run_study(
    study: Study,
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
