"""`hyperbaton board`: many systems by many measures on one page, with quality beside them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.remote_paths import place
from hyperbaton.base.wording import counted
from hyperbaton.cli.options.study import command_line
from hyperbaton.cli.terminal.streams import say

if TYPE_CHECKING:
    from hyperbaton.pipeline import Pair, Run
    from hyperbaton.report.contents import Contest

DESCRIPTION = (
    "Compare many systems on one page: what they do with messy input, and how good they are."
)
EXAMPLES = """\
  hyperbaton board --wmt wmt24-news-systems -l en-es --out board.html
  hyperbaton board runs/grammar-rocs-mt-en-es --tables tables --records records

--wmt runs every study that reads a test suite of the folder on all systems that are in it, and
measures BLEU and chrF on its main test set. --quality reads a table of scores: a header, then a
row for each system, its name first, with tabs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Runs, or a folder of WMT; quality; what to write where."""
    parser.add_argument("runs", nargs="*", type=place, metavar="RUN", help="a run directory")
    parser.add_argument("--wmt", metavar="DIR", help="a folder in the layout of WMT")
    parser.add_argument("-l", "--languages", metavar="SRC-TGT", help="of --wmt, e.g. en-es")
    parser.add_argument(
        "--runs-in",
        type=Path,
        default=Path("runs"),
        metavar="DIR",
        help="where the runs of --wmt are kept (default: runs)",
    )
    parser.add_argument(
        "--quality",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="scores of the systems, TSV (repeat for more; of --wmt also its autorank-SRC-TGT.tsv)",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("board.html"), metavar="FILE",
        help="the HTML file (default: board.html)",
    )  # fmt: skip
    parser.add_argument("--tables", type=Path, metavar="DIR", help="also CSV, Markdown and LaTeX")
    parser.add_argument(
        "--records",
        type=Path,
        metavar="DIR",
        help="also a record of each system for every_eval_ever",
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(args: argparse.Namespace) -> int:
    """Make the runs that are missing, then the page and the files that were asked for."""
    from hyperbaton.pipeline import Pair, Run
    from hyperbaton.report import write_report, write_tables
    from hyperbaton.studies.layer.board import board_of
    from hyperbaton.studies.layer.board.quality import scored_quality

    if args.out.is_dir():
        raise HyperbatonError(
            f"--out {args.out} is a folder: name a file, e.g. {args.out}/board.html"
        )
    for folder in args.runs:
        if not folder.is_dir():
            raise HyperbatonError(f"{folder}: no such run directory")
    runs, files = list(map(Run, args.runs)), list(args.quality)
    quality: list[Contest] = []
    if args.wmt:
        if not args.languages:
            raise HyperbatonError("--wmt needs a language pair, e.g. -l en-es")
        pair = Pair.parse(args.languages)
        made, quality = _of_wmt(args, pair)
        runs += made
        ranked = Path(args.wmt).expanduser() / f"autorank-{pair}.tsv"
        files += [ranked] if ranked.is_file() and not files else []
    elif args.languages:
        raise HyperbatonError(f"-l {args.languages} is of --wmt DIR: add it, or leave -l out")
    for path in files:
        quality += scored_quality(path)
    contents = board_of(runs, quality)
    write_report(contents, args.out)
    print(printable(args.out))
    if contents.board is not None:
        print("\n".join(map(printable, (contents.board.question, *contents.board.answers))))
    if args.tables:
        print(f"{counted(len(write_tables(contents, args.tables)), 'file')} in {args.tables}")
    if args.records and contents.board is not None:
        from hyperbaton.report.files.records import write_records

        corpora = [f"{r.record.study}: {c}" for r in runs for c in r.record.corpora.values()]
        said = counted(len(write_records(contents.board, corpora, args.records)), "record")
        print(f"{said} in {printable(args.records)}")
    if args.open:
        import webbrowser

        webbrowser.open(args.out.resolve().as_uri())
    return 0


def _of_wmt(args: argparse.Namespace, pair: Pair) -> tuple[list[Run], list[Contest]]:
    """The runs of all studies that read a suite of the folder, and the quality of its systems."""
    from hyperbaton.corpus.wmt import Wmt
    from hyperbaton.pipeline import RunOptions
    from hyperbaton.studies.layer.board.quality import measured_quality
    from hyperbaton.studies.layer.running import run_study
    from hyperbaton.studies.registry import STUDIES, make_study

    there = Wmt(args.wmt).folder(pair.source, pair.target).suites
    runs = []
    for name in STUDIES.names():
        for suite in STUDIES.get(name).suites:
            if suite not in there:
                continue
            study, out = make_study(name, {}), args.runs_in / f"{name}-{suite}-{pair}"
            say(f"{name} on {suite}: {out}")
            corpus = study.corpus([str(Wmt(args.wmt, suite))], pair)
            options = RunOptions(command=command_line())
            runs.append(
                run_study(study, [corpus], [], out, metrics=study.metrics[:2], options=options).run
            )
    if not runs:
        raise HyperbatonError(
            f"{args.wmt} has no suite that a study reads: {', '.join(there)} in {pair}"
        )
    return runs, measured_quality(Wmt(args.wmt), pair.source, pair.target)
