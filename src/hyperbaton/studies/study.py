"""What a study is: an experiment, and what is drawn from its scores. A new study is one file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline import Design, Run
from hyperbaton.spec import Registry

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents

__all__ = ["STUDIES", "Study", "load_contents"]


class Study(Design):
    """A design that knows what to say of its runs.

    How probes are made (`probes`), which columns are compared (`comparisons`) with which metrics
    (`metrics`), and which findings, tables and figures come of it (`contents`).
    """

    @abstractmethod
    def contents(self, runs: Sequence[Run]) -> Contents:
        """The report on one run, or on several side by side."""


STUDIES: Registry[Study] = Registry(
    "study",
    {
        "wordorder": "hyperbaton.studies.wordorder:WordOrder",
        "isometry": "hyperbaton.studies.isometry.study:Isometry",
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
    for run in map(Run, map(Path, folders)):
        study = STUDIES.parse(run.record.study)
        groups.setdefault(study.name, (study, []))[1].append(run)
    return side_by_side({name: study.contents(runs) for name, (study, runs) in groups.items()})
