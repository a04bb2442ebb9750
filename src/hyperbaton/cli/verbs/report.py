"""`hyperbaton report`: the report on one run or several, its figures and tables as files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, did_you_mean, printable
from hyperbaton.base.remote_paths import place
from hyperbaton.base.wording import counted

if TYPE_CHECKING:
    from hyperbaton.report import Contents

DESCRIPTION = "Write the report on finished runs: one HTML file that needs no network."
EXAMPLES = """\
  hyperbaton report runs/news
  hyperbaton report runs/small runs/large --out compared.html --open
  hyperbaton report runs/news --figures figures --tables tables
  hyperbaton report runs/news --figures figures --format pdf --tables tables --format tex

Runs of the same study are compared; different studies follow one another. Figures are png, svg or
pdf; tables are csv, md (Markdown) or tex (LaTeX with booktabs). Without --format, all of them are
written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The runs, and what to write where."""
    parser.add_argument("runs", nargs="+", type=place, metavar="RUN", help="a run directory")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the HTML file (default: report.html in the run, or in this folder for several runs)",
    )
    parser.add_argument("--figures", type=Path, metavar="DIR", help="also write every figure here")
    parser.add_argument("--tables", type=Path, metavar="DIR", help="also write every table here")
    parser.add_argument(
        "--format",
        action="append",
        default=[],
        metavar="LIST",
        help="of figures and tables: png,svg,pdf,csv,md,tex (repeat for more)",
    )
    parser.add_argument("--open", action="store_true", help="open the report in the browser")


def run(args: argparse.Namespace) -> int:
    """Write the page, then the files that were asked for."""
    from hyperbaton.report import write_report
    from hyperbaton.studies.registry import load_contents

    figures, tables = _formats(args)
    page = args.out or (
        args.runs[0] / "report.html" if len(args.runs) == 1 else Path("report.html")
    )
    if page.is_dir():
        raise HyperbatonError(
            f"--out {page} is a folder: name a file in it, e.g. {page}/report.html"
        )
    for folder in args.runs:
        if not folder.is_dir():
            raise HyperbatonError(f"{folder}: no such run directory")
    contents = load_contents(args.runs)
    write_report(contents, page)
    print(printable(page))
    _write_files(contents, args.figures, figures, args.tables, tables)
    if args.open:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())
    return 0


def _formats(args: argparse.Namespace) -> tuple[list[str], list[str]]:
    """The formats of figures and those of tables; each kind has all of its own by default."""
    from hyperbaton.report import FIGURE_FORMATS, TABLE_FORMATS

    asked = [name.strip().lower() for part in args.format for name in part.split(",")]
    known = [*FIGURE_FORMATS, *TABLE_FORMATS]
    for name in asked:
        if name not in known:
            hint = did_you_mean(name, known)
            raise HyperbatonError(f"--format {name}: choose from {', '.join(known)}.{hint}")
    if asked and not (args.figures or args.tables):
        raise HyperbatonError("--format needs --figures DIR or --tables DIR")
    figures = [name for name in FIGURE_FORMATS if name in asked] or list(FIGURE_FORMATS)
    tables = [name for name in TABLE_FORMATS if name in asked] or list(TABLE_FORMATS)
    return figures, tables


def _write_files(
    contents: Contents,
    figures: Path | None,
    figure_formats: list[str],
    tables: Path | None,
    table_formats: list[str],
) -> None:
    from hyperbaton.report import write_figures, write_tables

    if figures:
        print(
            f"{counted(len(write_figures(contents, figures, figure_formats)), 'file')} in "
            f"{printable(figures)}"
        )
    if tables:
        written = write_tables(contents, tables, table_formats)
        print(f"{counted(len(written), 'file')} in {printable(tables)}")
