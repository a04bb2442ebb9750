"""Scores of a run against thresholds, and beside an earlier run of the same texts."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted, decimal, decimal_bounds
from hyperbaton.cli.options.gate import Bound
from hyperbaton.cli.terminal.verdicts import Status, Verdict

if TYPE_CHECKING:
    from hyperbaton.pipeline import Run
    from hyperbaton.studies.layer.experiment import Experiment, Score
    from hyperbaton.studies.layer.gate.scores import Change


def thresholds(args: argparse.Namespace, study: Experiment, run: Run) -> Iterator[Verdict]:
    """A verdict for each threshold, system and language pair."""
    from hyperbaton.studies.layer.gate.answers import worst_answer
    from hyperbaton.studies.layer.gate.scores import (
        Named,
        gate_scores,
        only_systems,
        scores_named,
    )

    scores = only_systems(gate_scores(study, run, args.metric), args.systems, run)
    for bound in args.bounds:
        for score in scores_named(scores, Named.parse(bound.name), run):
            verdict = _compared(score, bound, args.interval)
            if verdict.status == "failed":
                shown = worst_answer(study, score, run, bound.sign)
                verdict = replace(verdict, example=shown)
            yield verdict


def _compared(score: Score, bound: Bound, interval: bool) -> Verdict:
    """Whether the mean is on the right side of a threshold, or with `interval` all of it."""
    end = score.low if bound.sign > 0 else score.high
    found = end if interval else score.value
    if not math.isfinite(found):
        what = "no interval" if interval else "no value"
        why = ": the values are too few, or all the same" if interval else ""
        raise HyperbatonError(
            f"{score.name} of {score.system} in {score.pair} has {what}, "
            f"with {counted(score.n, 'value')}{why}; there is nothing to compare"
        )
    met = bound.sign * (found - bound.value) >= 0
    relation = "≥" if bound.sign > 0 else "≤"
    value, ends = decimal(score.value, ".4f"), decimal_bounds(score.low, score.high, ".4f")
    return Verdict(
        "ok" if met else "failed",
        group_of(score),
        f"{score.name}@{score.variant}",
        f"= {value} {ends}, wanted {relation} {bound.value:g}",
        row={**score.row(), "wanted": f"{relation} {bound.value:g}"},
    )


def group_of(score: Score) -> str:
    """What a verdict is about: a system in a language pair, by a metric."""
    extra = [value for key, value in score.extra.items() if key != "run"]
    return " ".join(filter(None, (score.system, score.pair, score.metric, *extra)))


def against_baseline(
    args: argparse.Namespace, study: Experiment, run: Run, old: Run
) -> Iterator[Verdict]:
    """A verdict for each score that tells better from worse, in this run and an earlier one."""
    from hyperbaton.studies.layer.gate.answers import worst_change
    from hyperbaton.studies.layer.gate.runs import compare_runs
    from hyperbaton.studies.layer.gate.scores import Limits, Named

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
