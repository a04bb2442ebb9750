"""A run beside an earlier one of the same texts: no score may be certainly worse."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hyperbaton.cli.terminal.verdicts import Status, Verdict
from hyperbaton.cli.verbs.check.thresholds import group_of

if TYPE_CHECKING:
    from hyperbaton.pipeline import Run
    from hyperbaton.studies.layer.experiment import Experiment
    from hyperbaton.studies.layer.gate.change import Change


def against_baseline(
    args: argparse.Namespace, study: Experiment, run: Run, old: Run
) -> Iterator[Verdict]:
    """A verdict for each score that tells better from worse, in this run and an earlier one."""
    from hyperbaton.studies.layer.gate.answers import worst_change
    from hyperbaton.studies.layer.gate.change import Limits
    from hyperbaton.studies.layer.gate.runs import compare_runs
    from hyperbaton.studies.layer.gate.scores import Named

    names, limits = list(map(Named.parse, args.scores)), Limits(args.tolerance, args.resolution)
    for change in compare_runs(study, run, old, names, args.systems, args.metric, limits):
        worse = change.verdict == "worse"
        yield _moved(change, tuple(worst_change(study, change, run, old)) if worse else ())


def _moved(change: Change, example: tuple[str, ...]) -> Verdict:
    score, verdict = change.new, change.verdict
    statuses: Mapping[str, Status] = {"worse": "failed", "undecided": "undecided"}
    value, low, high = change.difference.span
    numbers = {"difference": value, "difference_low": low, "difference_high": high, "p": change.p}
    return Verdict(
        statuses.get(verdict, "ok"),
        group_of(score),
        f"{score.name}@{score.variant}",
        change.sentence(),
        example,
        {
            **score.row(),
            "verdict": verdict,
            "baseline": change.old.row()["value"],
            **{key: v if math.isfinite(v) else None for key, v in numbers.items()},
            "rows": change.rows,
            "changed": change.changed,
        },
    )
