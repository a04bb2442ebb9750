"""`hyperbaton demo`: the whole study on the corpus and the translator that come along."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hyperbaton.cli.outcome import add_run_arguments, finish
from hyperbaton.cli.store import add_store_arguments

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

LANGUAGES = "de,fr,es,it,ru,ja,zh"
SYSTEM = "bundled(beam=2)"
"""A beam of 4 is the translator's own choice: a little better, and three minutes instead of two."""
DESCRIPTION = """\
The word-order study from start to end: 200 sentences in 7 languages, 16 perturbations, the
translator that comes with hyperbaton, and a report that opens in the browser."""
EXAMPLES = """\
  hyperbaton demo
  hyperbaton demo --no-open --out somewhere
  hyperbaton demo --languages de,ja --limit 50
  hyperbaton demo --system bundled --system gloss
  hyperbaton demo --system apertium:en-es --languages es
  hyperbaton demo isometry"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where it goes, and what may be other than usual."""
    parser.add_argument("study", nargs="?", choices=("wordorder", "isometry"), default="wordorder")
    parser.add_argument("--out", type=Path, default=Path("hyperbaton-demo"), metavar="DIR")
    parser.add_argument("--no-open", action="store_true", help="leave the browser alone")
    parser.add_argument(
        "--system",
        action="append",
        default=[],
        help=f"default: {SYSTEM}; as a control that keeps every order: gloss (repeat)",
    )
    parser.add_argument(
        "--languages", default=LANGUAGES, metavar="LIST", help=f"default: {LANGUAGES}"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="the first N sentences only")
    add_run_arguments(parser)
    add_store_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run the study, write the report, open it."""
    if args.study == "isometry":
        from hyperbaton.cli.isometry import demo

        return demo(args)
    from hyperbaton.cli.matrix import command
    from hyperbaton.pipeline import Job, Pair, Starter, execute
    from hyperbaton.studies.study import STUDIES

    targets = [language.strip() for language in args.languages.split(",")]
    job = Job(
        design=STUDIES.parse("wordorder"),
        corpora=tuple(Starter(Pair("en", target), args.limit) for target in targets),
        systems=tuple(args.system or [SYSTEM]),
        poles=not args.no_poles,
        workers=args.workers,
        cache=args.cache,
        cached=not args.no_cache,
        retry_failed=args.retry_failed,
        command=command(),
    )
    print(
        f"running the word-order study in {args.out}; about two minutes on two cores",
        file=sys.stderr,
    )
    args.open = not args.no_open
    return finish(execute(job, args.out), args)
