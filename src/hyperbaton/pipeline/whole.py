"""The stage over a whole corpus: what a design says of all parts of a system at once."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline.design import Design, Pair
from hyperbaton.pipeline.parts import Stamp, write_part
from hyperbaton.pipeline.results import Run
from hyperbaton.wording import counted

__all__ = ["judge_whole"]


def judge_whole(
    path: Path, configuration: str, design: Design, folder: Path, pair: Pair, system: str
) -> None:
    """Write what the design says; a table without columns where it says nothing."""
    run = Run(folder)
    found = design.whole(run, pair, system)
    if found is not None:
        probes = sum(part.height for part in run.parts(pair, columns=["item"]))
        if found.height != probes:
            raise HyperbatonError(
                f"{design.name}: the whole stage gives "
                f"{counted(found.height, 'row')} for {counted(probes, 'probe')}"
            )
    write_part(path, pl.DataFrame() if found is None else found, Stamp(configuration))
