"""`hyperbaton demo`: a whole study on the corpus and the translator that are shipped."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.options import positive
from hyperbaton.cli.options.study import add_run_arguments, add_system_argument, run_options
from hyperbaton.cli.terminal.results import finish
from hyperbaton.cli.terminal.streams import say

if TYPE_CHECKING:
    from hyperbaton.pipeline import Pair
    from hyperbaton.studies.layer.experiment import Experiment

_DEFAULT = "wordorder"
_FOLDER = "hyperbaton-demo"
DESCRIPTION = """\
Run a whole study on the shipped sentences with a small shipped translator, and open its report in
the browser. The word-order study takes about a minute on two cores:
15 sentences in 7 languages, 16 perturbations, and three translators: a plain one, and one that is
told to repair the order of words, then to carry it over."""
EXAMPLES = """\
  hyperbaton demo
  hyperbaton demo --no-open --out somewhere
  hyperbaton demo --languages de,ja --limit 5
  hyperbaton demo --system bundled --system gloss
  hyperbaton demo --system apertium:en-es --languages es
  hyperbaton demo isometry

The system gloss is a control that keeps every order: a dictionary, word by word."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The study, and what may be other than usual."""
    parser.usage = "%(prog)s [options] [study]"
    parser.add_argument(
        "study",
        nargs="?",
        default=_DEFAULT,
        help=f"default: {_DEFAULT} (see: hyperbaton ls studies)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="the run directory (default: hyperbaton-demo; of other studies hyperbaton-demo-STUDY)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    add_system_argument(parser, default="the study's own")
    parser.add_argument(
        "-l",
        "--languages",
        metavar="LIST",
        help="languages or pairs, e.g. de,ja or en-de (default: all of the demo)",
    )
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N sentences")
    add_run_arguments(parser, parser.add_argument_group("run"))


def run(args: argparse.Namespace) -> int:
    """Run the study, write the report, open it."""
    from hyperbaton.studies.layer.running import run_study
    from hyperbaton.studies.registry import make_study

    study = make_study(args.study, {})
    options = run_options(args)
    if not (options.poles or study.poles):
        raise HyperbatonError(f"--no-poles: {study.name} has no such controls; leave it out")
    if args.out is None:
        args.out = Path(_FOLDER if study.name == _DEFAULT else f"{_FOLDER}-{study.name}")
    demo = study.demo_here()
    pairs = _pairs(study, args.languages)
    corpora = [study.demo_corpus(pair, args.limit) for pair in pairs]
    say(f"running {study.name} in {args.out}: {', '.join(map(str, pairs))}")
    if demo.note:
        say(demo.note)
    session = run_study(
        study,
        corpora,
        args.system or demo.systems,
        args.out,
        metrics=demo.metrics,
        options=options,
    )
    args.open = not args.no_open
    return finish(session, args)


def _pairs(study: Experiment, chosen: str | None) -> Sequence[Pair]:
    """The pairs of the demo, or those of them that have one of these languages."""
    from hyperbaton.pipeline import Pair

    known = [Pair.parse(pair) for pair in study.demo.pairs]
    if chosen is None:
        return known
    found: dict[Pair, None] = {}
    for name in (part.strip() for part in chosen.split(",")):
        some = [p for p in known if name in (str(p), p.source, p.target)]
        if not some:
            offered = ", ".join(study.demo.pairs)
            raise HyperbatonError(f"the demo of {study.name} is not in '{name}': it has {offered}")
        found |= dict.fromkeys(some)
    return list(found)
