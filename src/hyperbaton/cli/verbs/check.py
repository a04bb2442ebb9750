"""`hyperbaton check`: whether a run is good enough, as an exit status for pipelines."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.remote_paths import place
from hyperbaton.base.wording import bounds, counted, decimal
from hyperbaton.cli.options.gate import CONFIG, Bound, add_gate_arguments, read_config
from hyperbaton.cli.terminal.streams import say
from hyperbaton.cli.terminal.verdicts import FORMATS, Status, Verdict, exit_status, summary_line

if TYPE_CHECKING:
    from hyperbaton.pipeline import Run
    from hyperbaton.studies.layer.experiment import Experiment, Score
    from hyperbaton.studies.layer.gate.change import Change

DESCRIPTION = """\
Compare the scores of a finished run with thresholds, or with an earlier run of the same texts. The
exit status is 0 when all is well, 1 when a threshold is not met or a score is certainly worse than
before, and 2 when that cannot be told: the run is not complete, rows of it failed, it has no such
score, or it has too few sentences."""
EXAMPLES = f"""\
  hyperbaton check runs/news --min beta1=0.4
  hyperbaton check runs/news --metric chrF --min beta=0.5 --min beta1=0.4 --max beta2=0.3
  hyperbaton check runs/news --min kept=0.5 --system copy
  hyperbaton check runs/news --baseline runs/old --tolerance 0.01
  hyperbaton check runs/news --baseline runs/old --format markdown > summary.md

NAME is a score of the study, as `--format json` prints it. In the word-order study beta is the
quality of the translation, beta1 the robustness, beta2 the faithfulness to word order, and kept
what is left of beta in beta1, over the same samples. Every system must meet the thresholds in every
language pair; the controls (oracle, literal) need not. Scores of variants are averaged with equal
weight; name one variant with NAME@VARIANT=VALUE. Every study has `untranslated`, the share of
answers that are the source copied or in another language: --max untranslated=0.02.

Against a baseline each system is compared with itself, on the same sentences. A score fails when it
is certainly worse by more than the tolerance (p < .05, corrected for the number of scores).

{CONFIG}"""
UNTRANSLATED = "untranslated"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run, what it has to reach, and how the verdicts are printed."""
    parser.add_argument("run_folder", type=place, metavar="RUN", help="a run directory")
    add_gate_arguments(parser)
    parser.add_argument(
        "--format", choices=tuple(FORMATS), default="text", help="of the verdicts (default: text)"
    )


def run(args: argparse.Namespace) -> int:
    """Print each verdict; 1 when one of them is bad, 2 when one is open."""
    from hyperbaton.pipeline import Run
    from hyperbaton.studies.registry import STUDIES

    read_config(args)
    if not (args.bounds or args.baseline):
        raise HyperbatonError(
            "nothing to check: give a threshold, e.g. --min beta1=0.4, or --baseline RUN"
        )
    opened = Run(args.run_folder)
    study = STUDIES.parse(opened.record.study)
    _refuse_incomplete(opened, args.max_failed)
    verdicts = [*_thresholds(args, study, opened), *_baseline(args, study, opened)]
    if not any(bound.name.startswith(UNTRANSLATED) for bound in args.bounds):
        _warn_untranslated(opened)
    status = exit_status(verdicts)
    try:
        print(FORMATS[args.format](verdicts, f"hyperbaton check {args.run_folder}"), flush=True)
    except OSError:
        # Nobody reads it; the verdict is the exit status.
        if not status:
            raise
    if status == 2:
        more = "run the study on more sentences, or accept more with --tolerance or --resolution"
        say(f"{summary_line(verdicts)}: {more}")
    return status


def _thresholds(args: argparse.Namespace, study: Experiment, run: Run) -> Iterator[Verdict]:
    """A verdict for each threshold, system and language pair."""
    from hyperbaton.studies.layer.gate.scores import (
        Named,
        gate_scores,
        only_systems,
        scores_named,
    )

    if not args.bounds:
        return
    scores = only_systems(gate_scores(study, run, args.metric), args.systems, run)
    for bound in args.bounds:
        for score in scores_named(scores, Named.parse(bound.name), run):
            yield _compared(score, bound, args.interval)


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
    value, ends = decimal(score.value, ".4f"), bounds(score.low, score.high, ".4f")
    return Verdict(
        "ok" if met else "failed",
        _group(score),
        f"{score.name}@{score.variant}",
        f"= {value} {ends}, wanted {relation} {bound.value:g}",
        row={**score.row(), "wanted": f"{relation} {bound.value:g}"},
    )


def _group(score: Score) -> str:
    extra = "".join(f" {value}" for key, value in score.extra.items() if key != "run")
    return f"{score.system} {score.pair} {score.metric}{extra}"


def _baseline(args: argparse.Namespace, study: Experiment, run: Run) -> Iterator[Verdict]:
    """A verdict for each score that tells better from worse, in this run and an earlier one."""
    from hyperbaton.pipeline import Run as Opened
    from hyperbaton.studies.layer.gate.answers import example_of
    from hyperbaton.studies.layer.gate.change import Limits
    from hyperbaton.studies.layer.gate.runs import compare_runs
    from hyperbaton.studies.layer.gate.scores import Named

    if args.baseline is None:
        return
    old = Opened(args.baseline)
    _refuse_incomplete(old, args.max_failed)
    names, limits = list(map(Named.parse, args.scores)), Limits(args.tolerance, args.resolution)
    for change in compare_runs(study, run, old, names, args.systems, args.metric, limits):
        worse = change.verdict == "worse"
        yield _moved(change, tuple(example_of(study, change, run, old)) if worse else ())


def _moved(change: Change, example: tuple[str, ...]) -> Verdict:
    score, verdict = change.new, change.verdict
    statuses: Mapping[str, Status] = {"worse": "failed", "undecided": "undecided"}
    value, low, high = change.difference.span
    numbers = {"difference": value, "difference_low": low, "difference_high": high, "p": change.p}
    return Verdict(
        statuses.get(verdict, "ok"),
        _group(score),
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


def _refuse_incomplete(run: Run, most: int) -> None:
    """A gate never passes for want of data."""
    missing = run.missing()
    if missing:
        more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise HyperbatonError(
            f"{run.folder} is not complete ({missing[0]}{more}): run its command again to resume it"
        )
    if not any(rows > most for rows in run.failed().values()):
        return
    from hyperbaton.pipeline.run.completeness import remedy

    for (system, pair), failures in run.failures().items():
        if failures.failed > most:
            helps = remedy(system, failures, f"the command of {run.folder}")
            allow = f"allow it with --max-failed {failures.failed}"
            raise HyperbatonError(
                f"{system} {failures.said(pair)}; " + ", or ".join(filter(None, (helps, allow)))
            )


def _warn_untranslated(run: Run) -> None:
    """Say that answers are no translations, where no threshold asks for it."""
    from hyperbaton.studies.layer.answers import LIMIT, answered

    for one in answered([run]):
        if one.is_notable:
            say(f"{one.sentence()} To make that a failure, add --max {UNTRANSLATED}={LIMIT:g}")
