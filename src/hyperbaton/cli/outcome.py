"""What the verbs that run a study have in common: options, the report, the findings in short."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperbaton.pipeline import Run
    from hyperbaton.report.contents import Finding

__all__ = ["add_run_arguments", "finish"]

_MARKS = {"holds": "+", "does not hold": "-", "undecided": "?"}


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """How the work is done and what is shown of it."""
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes beside the translator (default: by size)",
    )
    parser.add_argument("--no-cache", action="store_true", help="keep nothing for other runs")
    parser.add_argument("--no-poles", action="store_true", help="without oracle and literal")
    parser.add_argument("--retry-failed", action="store_true", help="translate failed texts again")
    parser.add_argument("--no-report", action="store_true", help="leave at the scores")
    parser.add_argument("--open", action="store_true", help="open the report in the browser")


def finish(run: Run, args: argparse.Namespace) -> int:
    """Write the report, print the findings, and open the page where that is asked for."""
    if args.no_report:
        print(run.folder)
        return 0
    from hyperbaton.report import write_report
    from hyperbaton.studies.study import load_contents

    contents = load_contents([run.folder])
    write_report(contents, run.layout.report)
    print(contents.summary)
    for finding in contents.findings:
        print(_line(finding))
    print(f"report: {run.layout.report}")
    if args.open:
        import webbrowser

        webbrowser.open(run.layout.report.resolve().as_uri())
    return 0


def _line(finding: Finding) -> str:
    mark = _MARKS[finding.verdict]
    span = f"{finding.value:+.3f} [{finding.low:+.3f}, {finding.high:+.3f}]"
    return f" {mark} {span}  {finding.claim}"
