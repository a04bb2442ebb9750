"""The one way to run a study: from the command line, a TOML file, Python or the demo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hyperbaton.pipeline import Corpus, Job
from hyperbaton.pipeline.engine.budgets import Limits
from hyperbaton.pipeline.engine.engines import parse_engine
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
    parsers: Mapping[str, str] | None = None,
    poles: bool = True,
    workers: int | None = None,
    cache: Path | None = None,
    cached: bool = True,
    retry_failed: bool = False,
    engine: str = "local",
    limits: Limits | None = None,
    command: str = "",
) -> Session:
    """Run a study, or resume it where `out` holds a part of it already.

    `only` names further systems for single language pairs; without `metrics` the study chooses.
    `engine` is `local`, `ray` or `ray://HOST:PORT`.
    Without `out` the run is kept as long as the session that is returned.
    """
    job = Job(
        design=study,
        corpora=tuple(corpora),
        systems=tuple(systems),
        metrics=study.chosen(metrics),
        only=only or {},
        parsers=parsers or {},
        poles=poles,
        workers=workers,
        cache=cache,
        cached=cached,
        retry_failed=retry_failed,
        engine=parse_engine(engine),
        limits=limits or Limits(),
        command=command,
    )
    keep = TemporaryDirectory(prefix="hyperbaton-") if out is None else None
    return Session(study.execute(job, Path(keep.name) if keep is not None else out or Path()), keep)
