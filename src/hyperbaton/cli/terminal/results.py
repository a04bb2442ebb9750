"""Results on a terminal: tables, and what a study prints: findings, the report, what failed."""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.wording import decimal, decimal_bounds
from hyperbaton.cli.terminal.streams import is_broken_pipe, say

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents, Finding, Table
    from hyperbaton.studies.layer.answers import Answered
    from hyperbaton.studies.layer.experiment import Experiment, Score
    from hyperbaton.studies.layer.session import Session

_CLAIMS = "+ holds, - does not hold, ? undecided; what was measured, with its 95 % interval:"
_CORRECTED = (
    "A ? whose interval lies on one side: not certain once p is corrected for so many claims, "
    "or no more than chance gives (see the report)."
)
_MARKS = {"holds": "+", "does not hold": "-", "undecided": "?", "not asked": " "}


def finish(session: Session, args: argparse.Namespace) -> int:
    """Write the report and print the findings; 1 when a system failed on some rows."""
    run, study = session.run, session.study
    page = None if args.no_report else run.layout.report
    # Before the report: where everything failed there is none, and the reader must know why.
    failures = run.failures()
    for (system, pair), failed in failures.items():
        say(f"{system} {failed.said(pair)}")
    if failures:
        from hyperbaton.pipeline.run.completeness import remedies

        say("; ".join(filter(None, ("scores exclude these rows", remedies(failures)))))
    code = 1 if failures else 0
    try:
        found = _numbers(session) if args.format == "json" else ([], [])
        contents = session.contents if page else session.brief
        show(study, contents, *found, page, args)
    except HyperbatonError as error:
        if not code:
            raise
        say(error)
    except OSError as error:
        # Nobody reads it; that rows failed is in the exit status.
        if not (code and is_broken_pipe(error)):
            raise
    return code


def _numbers(session: Session) -> tuple[Sequence[Score], Sequence[Answered]]:
    """What JSON holds: scores, and what systems answered with."""
    from hyperbaton.studies.layer.answers import answered, with_untranslated

    runs = [session.run]
    return with_untranslated(session.study.scores(runs), runs), answered(runs)


def show(
    study: Experiment,
    contents: Contents,
    scores: Sequence[Score],
    answers: Sequence[Answered],
    page: Path | None,
    args: argparse.Namespace,
) -> None:
    """Write the page where one is wanted, and print what was found in the format asked for."""
    from hyperbaton.studies.layer.session import as_object

    if page is not None:
        from hyperbaton.report import write_report

        write_report(contents, page)
    if args.format == "json":
        found = as_object(scores, contents.findings, answers)
        print(json.dumps(found, ensure_ascii=False, indent=2, allow_nan=False))
        if page is not None:
            say(f"report: {page}")
    else:
        print(_text(study, contents))
        if page is not None:
            print(f"report: {printable(page)}")
    if page is not None and args.open:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())


def _text(study: Experiment, contents: Contents) -> str:
    tables = [t for t in contents.tables if t.id in study.command.printed and not t.data.is_empty()]
    shown = [as_text(tables), ""] if tables else []
    gap = [""] if contents.answers and shown else []
    findings = [one for one in contents.findings if one.verdict != "not asked"]
    lines = [*contents.answers, *gap, *shown, contents.summary, *([_CLAIMS] if findings else [])]
    lines += map(_line, findings)
    one_sided = [one for one in findings if one.low > one.threshold or one.high < one.threshold]
    if any(finding.verdict == "undecided" for finding in one_sided):
        lines.append(_CORRECTED)
    lines += _not_asked(contents.findings)
    return "\n".join(lines)


def _line(finding: Finding) -> str:
    """A claim; what repeats it for a part of the data stands further in, and is not counted."""
    value, ends = decimal(finding.value, "+.3f"), decimal_bounds(finding.low, finding.high, "+.3f")
    further = "     " if finding.part_of else " "
    from hyperbaton.studies.layer.register import claims

    known = claims().get(finding.id)
    name = known.name if known and not finding.part_of else finding.claim
    name = f"{finding.id} {name}".strip()
    return f"{further}{_MARKS[finding.verdict]} {value} {ends}  {name}"


def _not_asked(findings: Sequence[Finding]) -> Iterator[str]:
    """The claims that this run cannot decide, by what they would need."""
    reasons: dict[str, dict[str, None]] = {}
    for one in findings:
        if one.verdict == "not asked" and one.detail.startswith("needs "):
            reasons.setdefault(one.detail, {})[one.id] = None
    if reasons:
        yield "Not asked of this run:"
    for reason, ids in reasons.items():
        yield f"   {', '.join(ids)}: {reason}"


def as_text(tables: Sequence[Table]) -> str:
    """Each table under its title."""
    return "\n\n".join(f"{table.title}\n{_grid(table)}" for table in tables)


def _grid(table: Table) -> str:
    data = table.data
    rows = [
        [_cell(name, row[name], table.is_share(name)) for name in data.columns]
        for row in data.to_dicts()
    ]
    return lined_up([data.columns, *rows], [dtype.is_numeric() for dtype in data.dtypes])


def lined_up(rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    """Rows of cells as lines whose columns stand below each other, numbers to the right.

    >>> print(lined_up([["tag", "n"], ["NOUN", "12"]], [False, True]))
    tag    n
    NOUN  12
    """
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        gaps = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = zip(row, gaps, numeric, strict=True)
        lines.append("  ".join(gap + cell if right else cell + gap for cell, gap, right in cells))
    return "\n".join(map(str.rstrip, lines))


def _width(cell: str) -> int:
    """Columns that a cell takes: the bar of chrF̄2 takes none, a Chinese character two."""
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in cell
        if not unicodedata.combining(character)
    )


def _cell(name: str, value: object, share: bool) -> str:
    if isinstance(value, float):
        if share and value == value:
            return f"{decimal(100 * value, '.1f')} %"
        if name == "p":
            return "< .001" if value < 0.001 else decimal(value, missing="–")
        return decimal(value, ".2f" if name == "t" else ".4f", missing="–")
    return "" if value is None else printable(value)
