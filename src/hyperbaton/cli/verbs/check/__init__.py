"""`hyperbaton check`: whether a run is good enough, as an exit status for pipelines."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.remote_paths import place
from hyperbaton.cli.options.gate import CONFIG, add_gate_arguments, read_config
from hyperbaton.cli.terminal.streams import say
from hyperbaton.cli.terminal.verdicts import FORMATS, Verdict, exit_status, summary_line
from hyperbaton.cli.verbs.check.cases import broken_again
from hyperbaton.cli.verbs.check.thresholds import against_baseline, thresholds

if TYPE_CHECKING:
    from hyperbaton.pipeline import Run

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
  hyperbaton check --cases cases.jsonl --system copy

NAME is a score of the study, as `--format json` prints it. In the word-order study beta is the
quality of the translation, beta1 the robustness, beta2 the faithfulness to word order, and kept
what is left of beta in beta1, over the same samples. Every system must meet the thresholds in every
language pair; the controls (oracle, literal) need not. Scores of variants are averaged with equal
weight; name one variant with NAME@VARIANT=VALUE. Every study has `untranslated`, the share of
answers that are the source copied or in another language: --max untranslated=0.02.

Against a baseline each system is compared with itself, on the same sentences. A score fails when it
is certainly worse by more than the tolerance (p < .05, corrected for the number of scores).

With --cases, each sentence that `hyperbaton break` broke is translated again, before and after its
change; the check fails where the two translations still differ as they did.

{CONFIG}"""
UNTRANSLATED = "untranslated"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run, what it has to reach, and how the verdicts are printed."""
    parser.add_argument("run_folder", nargs="?", type=place, metavar="RUN", help="a run directory")
    add_gate_arguments(parser)
    parser.add_argument(
        "--format", choices=tuple(FORMATS), default="text", help="of the verdicts (default: text)"
    )


def run(args: argparse.Namespace) -> int:
    """Print each verdict; 1 when one of them is bad, 2 when one is open."""
    read_config(args)
    if not (args.bounds or args.baseline or args.cases):
        raise HyperbatonError(
            "nothing to check: give a threshold, e.g. --min beta1=0.4, or --baseline, or --cases"
        )
    verdicts = list(_verdicts(args))
    status = exit_status(verdicts)
    title = f"hyperbaton check {args.run_folder or args.cases}"
    try:
        print(FORMATS[args.format](verdicts, title), flush=True)
    except OSError:
        # Nobody reads it; the verdict is the exit status.
        if not status:
            raise
    if status == 2:
        more = "run the study on more sentences, or accept more with --tolerance or --resolution"
        say(f"{summary_line(verdicts)}: {more if args.baseline else 'see the lines with ?'}")
    return status


def _verdicts(args: argparse.Namespace) -> Iterator[Verdict]:
    """What there is to say of the run and of the cases."""
    from hyperbaton.pipeline import Run
    from hyperbaton.studies.registry import STUDIES

    systems = args.systems
    if args.run_folder is None:
        if args.bounds or args.baseline:
            raise HyperbatonError("name the run to check: hyperbaton check RUN --min beta1=0.4")
    else:
        run = Run(args.run_folder)
        study = STUDIES.parse(run.record.study)
        _refuse_incomplete(run, args.max_failed)
        if args.bounds:
            yield from thresholds(args, study, run)
        if args.baseline:
            old = Run(args.baseline)
            _refuse_incomplete(old, args.max_failed)
            yield from against_baseline(args, study, run, old)
        if not any(bound.name.startswith(UNTRANSLATED) for bound in args.bounds):
            _warn_untranslated(run)
        systems = systems or run.systems
    if args.cases:
        yield from broken_again(args, systems)


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
