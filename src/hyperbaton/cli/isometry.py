"""`hyperbaton isometry`: do paraphrases stay paraphrases when they are translated?"""

from __future__ import annotations

import argparse
from pathlib import Path

from hyperbaton.errors import HyperbatonError

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = "Translate paraphrases and ask detectors whether the translations are paraphrases."
EXAMPLES = """\
  hyperbaton isometry --recorded fair-wmt19.wmt.wmtp.json --recorded standard-wmt16.wmt.wmtp.json
  hyperbaton isometry --recorded predictions.json --epsilon 0.7 --format json

The vote is on the pair (paraphrases before?, paraphrases after?); detectors are odd in number."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument(
        "--recorded",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="predictions made elsewhere, in the published JSON form (repeat)",
    )
    parser.add_argument(
        "--epsilon", type=float, default=0.5, help="from which probability on S is 1 (default .5)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Print the tables."""
    if not 0 < args.epsilon <= 1:
        raise HyperbatonError(f"--epsilon {args.epsilon}: it lies above 0 and is at most 1")
    if not args.recorded:
        raise HyperbatonError("nothing to judge: give --recorded FILE.json")
    return _recorded(args)


def _recorded(args: argparse.Namespace) -> int:
    from hyperbaton.cli.isometry_text import as_json, as_text
    from hyperbaton.studies.isometry.recorded import read_recorded
    from hyperbaton.studies.isometry.tables import agreement, correlations, frequencies

    runs = [read_recorded(path, args.epsilon) for path in args.recorded]
    tables = {
        "T2 frequency of M": frequencies(runs),
        "F5 kinds of agreement": agreement(runs),
        "T3 correlation of surface similarity with S": correlations(runs),
    }
    if args.format == "json":
        short = dict(zip(("T2", "F5", "T3"), tables.values(), strict=True))
        print(as_json(short))
    else:
        print(as_text(tables))
    return 0
