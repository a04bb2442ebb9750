"""`hyperbaton check`: whether a run meets thresholds, as an exit status for pipelines."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, did_you_mean, printable
from hyperbaton.base.options import natural, number
from hyperbaton.base.remote_paths import place
from hyperbaton.base.wording import bounds, counted, decimal
from hyperbaton.cli.terminal.streams import say

if TYPE_CHECKING:
    from hyperbaton.pipeline import Run
    from hyperbaton.studies.layer.experiment import Score

DESCRIPTION = """\
Compare the scores of a finished run with thresholds. The exit status is 0 when all are met, 1 when
one is not, and 2 when there is nothing to compare: the run is not complete, rows of it failed, or
it has no such score."""
EXAMPLES = """\
  hyperbaton check runs/news --min beta1=0.4
  hyperbaton check runs/news --metric chrF --min beta=0.5 --min beta1=0.4 --max beta2=0.3
  hyperbaton check runs/news --min kept=0.5

NAME is a score of the study, as `--format json` prints it. In the word-order study beta is the
quality of the translation, beta1 the robustness, beta2 the faithfulness to word order, and kept
what is left of beta in beta1, over the same samples. Every system must meet the thresholds in every
language pair; the controls (oracle, literal) need not. Scores of variants are averaged with equal
weight; name one variant with NAME@VARIANT=VALUE. Every study has `untranslated`, the share of
answers that are the source copied or in another language: --max untranslated=0.02."""

UNTRANSLATED = "untranslated"
MEANS = ("all", "identity")
"""Variants that stand for a whole study: the mean over variants, and the clean sentence."""


@dataclass(frozen=True)
class Bound:
    """A threshold: what must be at least or at most so much."""

    name: str
    variant: str | None
    value: float
    sign: int

    def met(self, score: Score, interval: bool) -> bool:
        """Whether the mean is on the right side, or with `interval` the whole interval."""
        end = score.low if self.sign > 0 else score.high
        found = end if interval else score.value
        if not math.isfinite(found):
            what = "no interval" if interval else "no value"
            why = ": the values are too few, or all the same" if interval else ""
            raise HyperbatonError(
                f"{score.name} of {score.system} in {score.pair} has {what}, "
                f"with {counted(score.n, 'value')}{why}; there is nothing to compare"
            )
        return self.sign * (found - self.value) >= 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run and what it has to reach."""
    parser.add_argument("run_folder", type=place, metavar="RUN", help="a run directory")
    for flag, sign, what in (("--min", 1, "at least"), ("--max", -1, "at most")):
        parser.add_argument(
            flag,
            dest="bounds",
            action="append",
            type=partial(_bound, sign=sign),
            default=[],
            metavar="NAME=VALUE",
            help=f"the score must be {what} this (repeat)",
        )
    parser.add_argument("-m", "--metric", help="default: the leading metric of the run")
    parser.add_argument(
        "--interval",
        action="store_true",
        help="compare the worse end of the 95 %% interval instead of the mean",
    )
    parser.add_argument(
        "--max-failed",
        type=natural,
        default=0,
        metavar="N",
        help="rows of a system in a language pair that may have failed (default: 0)",
    )


def _bound(text: str, sign: int) -> Bound:
    head, equals, value = text.rpartition("=")
    name, at, variant = head.partition("@")
    if not (equals and name):
        raise argparse.ArgumentTypeError(f"write it as NAME=VALUE, e.g. beta1=0.4, not {text!r}")
    return Bound(name, variant if at else None, number(value), sign)


def run(args: argparse.Namespace) -> int:
    """Print each comparison; 1 when one of them fails."""
    from hyperbaton.pipeline import Run
    from hyperbaton.studies.layer.answers import with_untranslated
    from hyperbaton.studies.registry import STUDIES

    if not args.bounds:
        raise HyperbatonError("nothing to check: give a threshold, e.g. --min beta1=0.4")
    opened = Run(args.run_folder)
    study = STUDIES.parse(opened.record.study)
    _refuse_incomplete(opened, args.max_failed)
    # Systems go by short names there, poles by their own.
    poles = set(opened.poles) - set(opened.systems)
    scores = [s for s in study.scores([opened], args.metric) if s.system not in poles]
    scores = with_untranslated(scores, [opened])
    if not scores and opened.failed() and not args.metric:
        raise HyperbatonError(
            f"{args.run_folder} has no scores, since every system failed on every row"
        )
    if not scores:
        of = f" of {args.metric}" if args.metric else ""
        known = ", ".join(opened.metrics)
        raise HyperbatonError(f"{args.run_folder} has no scores{of}: its metrics are {known}")
    lines, failed = [], False
    for bound in args.bounds:
        for score in _compared(scores, bound, args.run_folder):
            met = bound.met(score, args.interval)
            failed = failed or not met
            lines.append(_line(score, bound, met))
    if not any(bound.name == UNTRANSLATED for bound in args.bounds):
        _warn_untranslated(opened)
    try:
        print("\n".join(lines), flush=True)
    except OSError:
        # Nobody reads it; the verdict is the exit status.
        if not failed:
            raise
    return 1 if failed else 0


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


def _compared(scores: Sequence[Score], bound: Bound, folder: Path) -> list[Score]:
    """The scores that a threshold is about: of one metric and, where there are means, these."""
    named = [score for score in scores if score.name == bound.name]
    if not named:
        known = list(dict.fromkeys(score.name for score in scores))
        raise HyperbatonError(
            f"{folder} has no score '{bound.name}' (it has: {', '.join(known)})."
            f"{did_you_mean(bound.name, known)}"
        )
    variants = list(dict.fromkeys(score.variant for score in named))
    chosen = bound.variant or next((v for v in variants if v in MEANS), None)
    found = [
        score
        for score in named
        if score.metric == named[0].metric and chosen in (None, score.variant)
    ]
    if not found:
        raise HyperbatonError(
            f"{folder} has no {bound.name} of '{chosen}' (it has: {', '.join(variants)})."
            f"{did_you_mean(str(chosen), variants)}"
        )
    return found


def _line(score: Score, bound: Bound, met: bool) -> str:
    relation = "≥" if bound.sign > 0 else "≤"
    value, ends = decimal(score.value, ".4f"), bounds(score.low, score.high, ".4f")
    extra = "".join(f" {value}" for value in score.extra.values())
    return printable(
        f"{'ok  ' if met else 'FAIL'} {score.system} {score.pair} {score.metric}{extra}: "
        f"{score.name}@{score.variant} = {value} {ends}, wanted {relation} {bound.value:g}"
    )
