"""The arguments of a study's command: its options are the fields of its class."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.options import Option, options_of, positive
from hyperbaton.base.remote_paths import place
from hyperbaton.cli.options.parser import AddEntry
from hyperbaton.pipeline.corpora import Corpus
from hyperbaton.pipeline.options import RunOptions
from hyperbaton.studies.layer.experiment import Experiment

AGAIN = """\
Run the same command again to resume an interrupted run. Add a metric, a system or a language pair
and only what is missing is done."""
MATRIX = """\
--config reads systems and language pairs from a TOML file:

  systems = ["ct2:models/many"]
  metrics = ["BLEU", "chrF"]
  time_limit = "2h"             # or another option of the run; flags come first
{options}
  [[corpus]]
  languages = "en-es"
  source = "news.en"            # beside this file
  reference = "news.es"
  systems = ["apertium:en-es"]  # for this pair only

  [[corpus]]
  languages = "{pair}"
  shipped = true                # the sentences that hyperbaton ships"""


@dataclass(frozen=True)
class Matrix:
    """What a study is run on; the study decides what is not given."""

    corpora: tuple[Corpus, ...] = ()
    systems: tuple[str, ...] = ()
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    """Of the study."""
    run: Mapping[str, object] = field(default_factory=dict)
    """Settings of RunOptions."""


def add_study_arguments(parser: argparse.ArgumentParser, study: type[Experiment]) -> None:
    """The corpus, the systems, the study's own options, and how the work is done."""
    parser.usage = "%(prog)s [options] [FILE ...]"
    texts = parser.add_argument_group("texts")
    _add_files(texts, study)
    metavar, help_ = study.command.languages
    texts.add_argument("-l", "--languages", metavar=metavar, help=help_)
    texts.add_argument(
        "--shipped", action="store_true", help="use the sentences that hyperbaton ships"
    )
    texts.add_argument("--limit", type=positive, metavar="N", help="only the first N items")
    texts.add_argument(
        "--config", type=Path, metavar="FILE", help="read texts, systems and options from TOML"
    )
    if study.command.recorded:
        texts.add_argument(
            "--recorded",
            nargs="+",
            action="extend",
            default=[],
            type=Path,
            metavar="FILE",
            help=f"{study.command.recorded}, instead of a run",
        )
    compared = parser.add_argument_group("systems and metrics" if study.asks else "metrics")
    if study.asks:
        add_system_argument(compared, flags=study.command.systems)
    if study.asks and study.command.systems == ("--system",):
        _add_recorded_arguments(compared)
    compared.add_argument(
        "-m",
        "--metric",
        action="append",
        default=[],
        help="repeat for more (default: those of the study; see: hyperbaton ls metrics)",
    )
    for flag in study.command.metrics:
        compared.add_argument(
            flag,
            dest=f"own {flag}",
            action="append",
            default=[],
            metavar="NAME",
            help=f"repeat for more (see: hyperbaton ls {flag.lstrip('-')}s)",
        )
    own = parser.add_argument_group("this study")
    for option in options_of(study):
        _add_option(own, option)
    if files("hyperbaton").joinpath("data", "claims", f"{study.name}.toml").is_file():
        own.add_argument(
            "--claims",
            action="append",
            default=[],
            metavar="LIST",
            help="test only these claims of the paper, by number (see: hyperbaton ls claims)",
        )
    result = parser.add_argument_group("result")
    result.add_argument("--out", type=place, metavar="RUN", help="the run directory")
    result.add_argument("--open", action="store_true", help="open the report in the browser")
    add_run_arguments(result, parser.add_argument_group("run"), study)


def _add_recorded_arguments(parser: argparse._ActionsContainer) -> None:
    """Translations that are there already: a folder of systems, or a folder of WMT."""
    parser.add_argument(
        "--wmt",
        metavar="DIR",
        help="texts and, without --system, all systems of a folder in the layout of WMT "
        "(wmt24-news-systems, mt-metrics-eval)",
    )
    parser.add_argument(
        "--suite", metavar="NAME", help="the test suite of --wmt (default: its main test set)"
    )
    parser.add_argument(
        "--systems",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder of translations, a file for each system: JSONL, TSV, or text beside "
        "sources.txt",
    )


def add_system_argument(
    parser: argparse._ActionsContainer, default: str = "", flags: Sequence[str] = ("--system",)
) -> None:
    """The translators that are studied, or the encoders."""
    note = f"default: {default}; " if default else ""
    kind = flags[0].lstrip("-")
    parser.add_argument(
        *flags,
        dest="system",
        action="append",
        default=[],
        metavar=kind.upper(),
        help=f"repeat for more ({note}see: hyperbaton ls {kind}s)",
    )


def add_run_arguments(
    result: argparse._ActionsContainer,
    work: argparse._ActionsContainer | None = None,
    study: type[Experiment] | None = None,
) -> None:
    """How the result is printed, and how the work is done."""
    result.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="json: one object with all scores and findings (default: text)",
    )
    result.add_argument("--no-report", action="store_true", help="do not write report.html")
    for option in options_of(RunOptions):
        if option.name != "poles" or study is None or study.poles:
            _add_option(work or result, option)


def _add_files(parser: argparse._ActionsContainer, study: type[Experiment]) -> None:
    """-s and -r, also by the names that the study has for them."""
    flags, helps = [*study.command.files], [*study.command.files.values()]
    takes = (*helps, *study.command.takes[len(helps) :])
    same = "the same as -s FILE" if len(takes) == 1 else "the same as -s FILE -r FILE"
    parser.add_argument("files", nargs="*", metavar="FILE", help=same)
    first, second = (*takes, argparse.SUPPRESS)[:2]
    parser.add_argument("-s", "--source", *flags[:1], metavar="FILE", help=first)
    parser.add_argument(
        "-r",
        "--reference",
        *flags[1:],
        nargs="+" if flags[1:] else 1,
        action="extend" if flags[1:] else "store",
        default=[],
        metavar="FILE",
        help=second,
    )


def _add_option(parser: argparse._ActionsContainer, option: Option) -> None:
    is_plain = option.default is False or option.default in (None, "")
    default = "" if is_plain else f" (default: {option.default})"
    how: dict[str, Any] = {"dest": f"own {option.flag}", "help": option.help + default}
    if option.kind == "bool" and option.flag.startswith("--no-"):
        how |= {"action": "store_false", "help": option.help}
    elif option.kind == "bool":
        how["action"] = argparse.BooleanOptionalAction
    elif option.read_entry is not None:
        how |= {"action": AddEntry, "type": option.read_entry, "metavar": option.metavar}
    elif option.repeat:
        how |= {"action": "append", "metavar": option.metavar}
        how["help"] = f"{option.help}; repeat for more"
    elif option.choices:
        how["choices"] = option.choices
    else:
        how |= {"type": option.read, "metavar": option.metavar}
    try:
        parser.add_argument(option.flag, default=None, **how)
    except argparse.ArgumentError:
        raise HyperbatonError(
            f"the study's option {option.flag} has the name of an option of every study: "
            "give its field another flag"
        ) from None


def given_options(args: argparse.Namespace, cls: type) -> dict[str, object]:
    """The options of a study, or of any run, that the command line names."""
    values = {o.name: getattr(args, f"own {o.flag}", None) for o in options_of(cls)}
    return {name: value for name, value in values.items() if value is not None}


def run_options(
    args: argparse.Namespace, given: Mapping[str, object] | None = None, where: str = ""
) -> RunOptions:
    """How the work is done: as the command line says, then as the matrix `where` says."""
    settings = dict(given or {})
    for name, value in given_options(args, RunOptions).items():
        old = settings.get(name)
        if isinstance(value, dict) and "" not in value and isinstance(old, dict):
            settings[name] = {**old, **value}
        else:
            settings[name] = value
    return replace(RunOptions.of(settings, where), command=command_line())


def named_paths(args: argparse.Namespace) -> list[str]:
    """The files that the command line names, or the corpus that stands for them."""
    named = [path for path in (args.source, *args.reference) if path]
    if named and args.files:
        raise HyperbatonError("files are given twice: either -s FILE -r FILE, or FILE FILE")
    if args.reference and not args.source:
        raise HyperbatonError(f"-r {args.reference[0]} has no source: add -s FILE")
    suite, wmt = getattr(args, "suite", None), getattr(args, "wmt", None)
    if suite and not wmt:
        raise HyperbatonError(f"--suite {suite} is a suite of --wmt DIR: add it")
    if wmt and (named or args.files):
        raise HyperbatonError("--wmt takes the place of files: leave one of them out")
    if wmt:
        from hyperbaton.corpus.wmt import MAIN, Wmt

        return [str(Wmt(wmt, suite or MAIN))]
    return named or list(args.files)


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["hyperbaton", *sys.argv[1:]])


def named_metrics(args: argparse.Namespace, study: type[Experiment]) -> list[str]:
    """Metrics by `-m`, and by the flags that put something before the name.

    Options of what a flag names are its own: brackets after them say that the metric has none.
    """
    flagged = [
        f"{prefix}{name}()" if name.rstrip().endswith(")") else f"{prefix}{name}"
        for flag, prefix in study.command.metrics.items()
        for name in getattr(args, f"own {flag}")
    ]
    return [*args.metric, *flagged]


def study_examples(name: str, study: type[Experiment]) -> str:
    pair, flag = study.demo.pairs[0], study.command.systems[0]
    system = f"{flag} {'bundled' if flag == '--system' else 'ngrams'} " if study.asks else ""
    settings = [
        f"  {option.name} = {json.dumps([option.default] if option.repeat else option.default)}"
        for option in options_of(study)
        if option.default not in (None, "")
    ]
    own = [study.command.examples] if study.command.examples else []
    generic = [
        f"  hyperbaton {name} --shipped -l {pair} --limit 5 {system}--out runs/shipped",
        f"  hyperbaton demo {name}",
    ]
    if not study.command.needs_files:
        return "\n".join([*own, *generic, "", AGAIN])
    generic.insert(1, f"  hyperbaton {name} --config matrix.toml --out runs/matrix")
    matrix = MATRIX.format(options="\n".join([*settings, ""]), pair=pair)
    return "\n".join([*own, *generic, "", AGAIN, matrix])
