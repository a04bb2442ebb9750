"""`hyperbaton isometry`: do paraphrases stay paraphrases when they are translated?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.cli.outcome import add_run_arguments, finish
from hyperbaton.cli.store import add_store_arguments
from hyperbaton.errors import HyperbatonError

if TYPE_CHECKING:
    from hyperbaton.pipeline import Corpus, Job
    from hyperbaton.studies.isometry.judged import Judged

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "demo", "run"]

DESCRIPTION = "Translate paraphrases and ask detectors whether the translations are paraphrases."
EXAMPLES = """\
  hyperbaton isometry one.de two.de -l de-en --system ct2:models/de-en --system ct2:models/small \\
      --detector hf-pair:models/xlm-r --detector 'cosine:models/labse(calibration=labse.json)' \\
      --detector aligned --out runs/news
  hyperbaton isometry --shipped -l de-en --system ct2:models/de-en --detector aligned --out runs/a
  hyperbaton isometry --recorded fair-wmt19.wmt.wmtp.json --recorded standard-wmt16.wmt.wmtp.json
  hyperbaton isometry --recorded predictions.json --epsilon 0.7 --format json

Two files of one language, line by line, or one table (sentence, sentence, label). The vote is on
the pair (paraphrases before?, paraphrases after?), so detectors are odd in number. The same
command goes on where it was stopped; a system or a detector more is added to what is there."""

SHIPPED_DETECTORS = ("lexical", "aligned", "likelihood:bundled")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument(
        "files", nargs="*", type=Path, help="first and second sentences, or a table"
    )
    parser.add_argument(
        "--shipped", action="store_true", help="the pairs that come with hyperbaton"
    )
    parser.add_argument("-l", "--languages", metavar="SRC-TGT", help="as de-en")
    parser.add_argument(
        "-s", "--system", action="append", default=[], help="see: hyperbaton ls systems (repeat)"
    )
    parser.add_argument(
        "-d", "--detector", action="append", default=[], help="an odd number of them (repeat)"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="the first N pairs only")
    parser.add_argument("--out", type=Path, metavar="RUN", help="the run directory")
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
    add_run_arguments(parser)
    add_store_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Judge what is recorded, or translate and judge; print the tables."""
    if not 0 < args.epsilon <= 1:
        raise HyperbatonError(f"--epsilon {args.epsilon}: it lies above 0 and is at most 1")
    if args.recorded:
        if args.files or args.shipped or args.system or args.detector:
            raise HyperbatonError("--recorded takes no files, systems or detectors beside it")
        return _recorded(args)
    if bool(args.files) == bool(args.shipped):
        raise HyperbatonError(
            "nothing to judge: give two files of one language, or --shipped, or --recorded FILE"
        )
    for needed, option in ((args.languages, "-l"), (args.system, "--system"), (args.out, "--out")):
        if not needed:
            raise HyperbatonError(f"{option} is missing: see hyperbaton isometry --help")
    return _study(args)


def demo(args: argparse.Namespace) -> int:
    """The study on the shipped pairs, with the three detectors that come along."""
    from hyperbaton.pipeline import Pair, execute
    from hyperbaton.studies.isometry.corpora import ShippedPairs

    corpus = ShippedPairs(Pair("de", "en"), args.limit)
    # `literal` answers with the human translations: what a system could reach at best.
    systems = ("literal", *(args.system or ["bundled"]))
    job = _job(args, corpus, systems, SHIPPED_DETECTORS, epsilon=0.5)
    args.open = not args.no_open
    return finish(execute(job, args.out), args)


def _recorded(args: argparse.Namespace) -> int:
    from hyperbaton.studies.isometry.recorded import read_recorded

    judged = [read_recorded(path, args.epsilon) for path in args.recorded]
    if args.out is not None:
        from hyperbaton.cli.matrix import command
        from hyperbaton.report import write_report
        from hyperbaton.studies.isometry.contents import judged_contents

        page = args.out / "report.html"
        write_report(judged_contents(judged, [], command()), page)
        print(f"report: {page}", file=sys.stderr)
    _print(judged, args.format)
    return 0


def _study(args: argparse.Namespace) -> int:
    from hyperbaton.pipeline import execute
    from hyperbaton.studies.isometry.scores import judged_runs

    detectors = args.detector or ["aligned"]
    done = execute(_job(args, _corpus(args), args.system, detectors, args.epsilon), args.out)
    _print(judged_runs([done], args.epsilon), args.format)
    if args.format == "json":
        from hyperbaton.report import write_report
        from hyperbaton.studies.study import load_contents

        write_report(load_contents([args.out]), done.layout.report)
        return 0
    print()
    return finish(done, args)


def _job(
    args: argparse.Namespace,
    corpus: Corpus,
    systems: Sequence[str],
    detectors: Sequence[str],
    epsilon: float,
) -> Job:
    from hyperbaton.cli.matrix import command
    from hyperbaton.detectors import DETECTORS
    from hyperbaton.detectors.metric import Paraphrase
    from hyperbaton.pipeline import Job
    from hyperbaton.studies.isometry.study import BLEU, CHRF, Isometry

    names = dict.fromkeys(str(DETECTORS.parse(detector)) for detector in detectors)
    if len(names) % 2 == 0:
        raise HyperbatonError(
            f"{len(names)} detectors cannot always give a majority: take an odd number of them"
        )
    return Job(
        design=Isometry(epsilon),
        corpora=(corpus,),
        systems=tuple(systems),
        metrics=(CHRF, BLEU, *(str(Paraphrase(name)) for name in names)),
        workers=args.workers,
        cache=args.cache,
        cached=not args.no_cache,
        retry_failed=args.retry_failed,
        command=command(),
    )


def _corpus(args: argparse.Namespace) -> Corpus:
    from hyperbaton.pipeline import Pair
    from hyperbaton.studies.isometry.corpora import PairedFiles, ShippedPairs

    pair = Pair.parse(args.languages)
    if args.shipped:
        return ShippedPairs(pair, args.limit)
    return PairedFiles(pair, tuple(args.files), args.limit)


def _print(judged: list[Judged], form: str) -> None:
    from hyperbaton.cli.isometry_text import as_json, as_text
    from hyperbaton.studies.isometry.tables import agreement, correlations, frequencies

    tables = {
        "T2 frequency of M": frequencies(judged),
        "F5 kinds of agreement": agreement(judged),
        "T3 correlation of surface similarity with S": correlations(judged),
    }
    if form == "json":
        print(as_json({title.split()[0]: table for title, table in tables.items()}))
    else:
        print(as_text(tables))
