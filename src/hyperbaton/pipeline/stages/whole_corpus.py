"""The stage over a whole corpus: what a design says of all parts of a system, or of each alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.pipeline.design import Design, Pair
from hyperbaton.pipeline.run.parts import Stamp, sound, write_part
from hyperbaton.pipeline.run.results import Run

__all__ = ["Judging", "judge", "unjudged"]


@dataclass(frozen=True)
class Judging:
    """What is to be judged, and where it goes."""

    path: Path
    configuration: str
    design: Design
    folder: Path
    pair: Pair
    system: str
    part: int | None = None
    """The one part that it is about; all of them where there is none."""


def unjudged(job: Judging) -> Judging | None:
    """The job, unless it is done already."""
    return job if sound(job.path, job.configuration, outdated=True) is None else None


def judge(job: Judging) -> None:
    """Write what the design says; a table without columns where it says nothing."""
    run = Run(job.folder, job.part)
    found = job.design.whole(run, job.pair, job.system)
    if found is not None:
        probes = sum(part.height for part in run.parts(job.pair, columns=["item"]))
        if found.height != probes:
            raise HyperbatonError(
                f"{job.design.name}: the whole stage gives "
                f"{counted(found.height, 'row')} for {counted(probes, 'probe')}"
            )
    write_part(job.path, pl.DataFrame() if found is None else found, Stamp(job.configuration))
