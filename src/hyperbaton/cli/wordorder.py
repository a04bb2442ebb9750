"""`hyperbaton wordorder`: perturb the order of words, translate, see what the system did."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.cli.inputs import add_parser_option, parser_for
from hyperbaton.cli.outcome import add_run_arguments, finish
from hyperbaton.cli.store import add_store_arguments
from hyperbaton.errors import HyperbatonError

if TYPE_CHECKING:
    from hyperbaton.cli.matrix import Matrix

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = """\
Is a translator robust to the order of words, or faithful to it? Perturbs source and reference in
up to 16 ways, translates, scores, and writes a report."""
EXAMPLES = """\
  hyperbaton wordorder -s news.en -r news.de -l en-de --system bundled --out runs/first
  hyperbaton wordorder -s news.en -r news.de -l en-de --system ct2:models/en-de --out runs/news
  hyperbaton wordorder -s news.en.conllu -r news.es.conllu -l en-es --system apertium:en-es \\
      --with nounSwaps --with reversed --draws 5 --out runs/apertium
  hyperbaton wordorder -s news.en -r news.de -l en-de --system ct2:models/en-de -m BLEU -m METEOR \\
      --out runs/news
  hyperbaton wordorder --config matrix.toml --out runs/matrix

The same command goes on where it was stopped. A metric, a system or a pair more is added to what
is there, and nothing is translated twice. A matrix of systems and pairs:

  systems = ["ct2:models/many"]
  metrics = ["BLEU", "chrF"]
  draws = 3

  [[corpus]]
  languages = "en-es"
  source = "news.en"          # beside this file
  reference = "news.es"
  systems = ["apertium:en-es"] # for this pair only

  [[corpus]]
  languages = "en-fr"
  starter = true              # the corpus that comes with hyperbaton"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The corpus, the systems, and how they are put to the test."""
    parser.add_argument("-s", "--source", metavar="FILE", help="text, CoNLL-U, TSV or JSON Lines")
    parser.add_argument("-r", "--reference", metavar="FILE", help="its reference translations")
    parser.add_argument("-l", "--languages", metavar="SRC-TGT", help="as en-de")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a matrix in TOML, see below")
    parser.add_argument(
        "--system", action="append", default=[], help="see: hyperbaton ls systems (repeat)"
    )
    parser.add_argument(
        "-m",
        "--metric",
        action="append",
        default=[],
        help="the first one leads (repeat; default: BLEU, chrF, Levenshtein)",
    )
    parser.add_argument(
        "--with",
        dest="perturbations",
        action="append",
        default=[],
        metavar="NAME",
        help="perturbation or group (repeat; default: wordorder, all 16)",
    )
    parser.add_argument(
        "--draws", type=int, metavar="N", help="of each random perturbation (default: 1)"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="of the draws (default: 0)")
    parser.add_argument(
        "--convention",
        choices=("default", "paper"),
        help="paper: the authors' BLEU, edit distance and final mark",
    )
    add_parser_option(parser)
    parser.add_argument("--limit", type=int, metavar="N", help="the first N items only")
    parser.add_argument("--out", type=Path, metavar="RUN", help="the run directory")
    add_run_arguments(parser)
    add_store_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run or go on, then write the report and say what was found."""
    from hyperbaton.cli.matrix import command
    from hyperbaton.pipeline import Job, execute

    matrix = _matrix(args)
    if args.out is None:
        raise HyperbatonError("--out is missing: name a folder for the run, as --out runs/news")
    job = Job(
        design=matrix.design(),
        corpora=matrix.corpora,
        systems=matrix.systems,
        only=matrix.only,
        metrics=matrix.metrics,
        parsers=matrix.parsers,
        poles=not args.no_poles,
        workers=args.workers,
        cache=args.cache,
        cached=not args.no_cache,
        retry_failed=args.retry_failed,
        command=command(),
    )
    return finish(execute(job, args.out), args)


def _matrix(args: argparse.Namespace) -> Matrix:
    """What the file says, with what the command line says on top of it."""
    from hyperbaton.cli.matrix import Matrix, read_matrix
    from hyperbaton.pipeline import Files, Pair

    matrix = read_matrix(args.config, args.limit) if args.config else Matrix()
    if args.source or args.reference or args.languages:
        if not (args.source and args.languages):
            raise HyperbatonError("a corpus takes all three: -s FILE -r FILE -l en-de")
        paths = (args.source, args.reference) if args.reference else (args.source,)
        corpus = Files(Pair.parse(args.languages), paths, args.limit)
        matrix = matrix.plus(corpora=(corpus,))
    return matrix.plus(
        systems=tuple(args.system),
        metrics=tuple(args.metric),
        perturbations=tuple(args.perturbations),
        parsers=_parsers(args, matrix),
        draws=args.draws,
        seed=args.seed,
        convention=args.convention,
    )


def _parsers(args: argparse.Namespace, matrix: Matrix) -> dict[str, str]:
    pairs = [corpus.pair for corpus in matrix.corpora]
    languages = {language for pair in pairs for language in (pair.source, pair.target)}
    found = {language: parser_for(args.parser, language) for language in sorted(languages)}
    return {language: spec for language, spec in found.items() if spec is not None}
