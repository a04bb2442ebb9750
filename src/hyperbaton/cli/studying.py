"""The command of any registered study: its options are the fields of its class."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from hyperbaton.cli.inputs import add_parser_option, parser_for
from hyperbaton.cli.numbers import number, positive, processes, whole
from hyperbaton.cli.outcome import finish, show
from hyperbaton.cli.store import add_store_arguments
from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline import Corpus, Pair
from hyperbaton.studies.options import Option, options_of
from hyperbaton.studies.study import STUDIES, Study

__all__ = ["StudyVerb", "add_run_arguments", "add_system_argument", "study_names"]

MATRIX = """\
Run the same command again to resume an interrupted run. Add a metric, a system or a language pair
and only what is missing is done. --config reads a matrix of systems and language pairs:

  systems = ["ct2:models/many"]
  metrics = ["BLEU", "chrF"]
{options}
  [[corpus]]
  languages = "en-es"
  source = "news.en"            # beside this file
  reference = "news.es"
  systems = ["apertium:en-es"]  # for this pair only

  [[corpus]]
  languages = "{pair}"
  shipped = true                # the corpus that is shipped with hyperbaton"""


class StudyVerb:
    """A study as a command."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.study: type[Study] = STUDIES.get(name)
        self.DESCRIPTION = "\n".join(filter(None, (self.study.title, self.study.question)))
        self.EXAMPLES = _examples(name, self.study)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """The corpus, the systems, the study's own options, and how the work is done."""
        parser.add_argument("files", nargs="*", metavar="FILE", help="the same as -s FILE -r FILE")
        _add_files(parser, self.study)
        parser.add_argument("-l", "--languages", metavar="SRC-TGT", help="e.g. en-de")
        parser.add_argument(
            "--shipped", action="store_true", help="use the corpus that is shipped with hyperbaton"
        )
        parser.add_argument("--config", type=Path, metavar="FILE", help="a matrix in TOML")
        if self.study.recorded_help:
            parser.add_argument(
                "--recorded",
                nargs="+",
                action="extend",
                default=[],
                type=Path,
                metavar="FILE",
                help=f"{self.study.recorded_help}, instead of a run",
            )
        add_system_argument(parser)
        parser.add_argument(
            "-m",
            "--metric",
            action="append",
            default=[],
            help="repeat for more (default: the study's own; see: hyperbaton ls metrics)",
        )
        for flag in self.study.metric_flags:
            parser.add_argument(
                flag,
                dest=_dest(flag),
                action="append",
                default=[],
                metavar="NAME",
                help=f"repeat for more (see: hyperbaton ls {flag.lstrip('-')}s)",
            )
        for option in options_of(self.study):
            _add_option(parser, option)
        add_parser_option(parser)
        parser.add_argument("--limit", type=positive, metavar="N", help="only the first N items")
        parser.add_argument("--out", type=Path, metavar="RUN", help="the run directory")
        parser.add_argument("--open", action="store_true", help="open the report in the browser")
        add_run_arguments(parser, self.study)

    def run(self, args: argparse.Namespace) -> int:
        """Run or resume the study, then write the report and print what was found."""
        if getattr(args, "recorded", None):
            return self._recorded(args)
        from hyperbaton.cli.matrix import Matrix, command, read_matrix
        from hyperbaton.studies.runner import run_study

        read = read_matrix(args.config, self.name, args.limit) if args.config else None
        matrix = (read or Matrix(self.name)).plus(
            systems=args.system,
            metrics=_metrics(args, self.study),
            options=_given(args, self.study),
        )
        study = matrix.design()
        matrix = matrix.plus(corpora=_corpora(args, study))
        if not matrix.corpora:
            raise HyperbatonError(
                "no corpus was given: name files (-s FILE -r FILE -l en-de), use --shipped, "
                "or write a matrix (--config FILE)"
            )
        if args.out is None:
            raise HyperbatonError("--out is missing: name a folder for the run, e.g. --out runs/a")
        session = run_study(
            study,
            matrix.corpora,
            matrix.systems,
            args.out,
            metrics=matrix.metrics,
            only=matrix.only,
            parsers={**matrix.parsers, **_parsers(args, matrix.corpora)},
            poles=not args.no_poles,
            workers=args.workers,
            cache=args.cache,
            cached=not args.no_cache,
            retry_failed=args.retry_failed,
            command=command(),
        )
        return finish(session, args)

    def _recorded(self, args: argparse.Namespace) -> int:
        from hyperbaton.cli.matrix import Matrix, command

        if _paths(args) or args.shipped or args.config or args.system or _metrics(args, self.study):
            raise HyperbatonError(
                "--recorded takes the place of a run: leave out files, systems and metrics"
            )
        study = Matrix(self.name, options=_given(args, self.study)).design()
        result = study.recorded(args.recorded, command())
        page = None if args.out is None or args.no_report else args.out / "report.html"
        show(study, result.contents, result.scores, page, args)
        return 0


def study_names() -> tuple[str, ...]:
    """Every registered study, also of other packages."""
    return STUDIES.names()


def add_system_argument(parser: argparse.ArgumentParser, default: str = "") -> None:
    """The translators that are studied."""
    note = f"default: {default}; " if default else ""
    parser.add_argument(
        "--system",
        action="append",
        default=[],
        metavar="SYSTEM",
        help=f"repeat for more ({note}see: hyperbaton ls systems)",
    )


def add_run_arguments(parser: argparse.ArgumentParser, study: type[Study] | None = None) -> None:
    """How the work is done and how the result is printed."""
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="json: one object with all scores and findings (default: text)",
    )
    parser.add_argument("--no-report", action="store_true", help="do not write report.html")
    parser.add_argument(
        "--workers",
        type=processes,
        metavar="N",
        help="processes for parsing and scoring (default: by the size of the corpus)",
    )
    parser.add_argument("--no-cache", action="store_true", help="keep nothing for other runs")
    parser.add_argument(
        "--retry-failed", action="store_true", help="translate texts again that failed earlier"
    )
    if study is None or study.poles:
        parser.add_argument(
            "--no-poles",
            action="store_true",
            help="leave out the controls that every run has (oracle, literal)",
        )
    else:
        parser.set_defaults(no_poles=False)
    add_store_arguments(parser)


def _add_files(parser: argparse.ArgumentParser, study: type[Study]) -> None:
    """-s and -r, also by the names that the study has for them."""
    flags, helps = [*study.file_flags], [*study.file_flags.values()]
    first, second = helps or (
        "text, CoNLL-U, TSV or JSON Lines, also .gz",
        "the second text of every item",
    )
    parser.add_argument("-s", "--source", *flags[:1], metavar="FILE", help=first)
    parser.add_argument(
        "-r",
        "--reference",
        *flags[1:],
        nargs="+" if flags else 1,
        action="extend" if flags else "store",
        default=[],
        metavar="FILE",
        help=second,
    )


def _add_option(parser: argparse.ArgumentParser, option: Option) -> None:
    dest = _dest(option.flag)
    shown = "" if option.repeat or option.default in (None, "") else f" (default: {option.default})"
    text = option.help + ("; repeat for more" if option.repeat else shown)
    try:
        if option.kind == "bool":
            parser.add_argument(
                option.flag, dest=dest, action=argparse.BooleanOptionalAction, help=text
            )
        elif option.repeat:
            parser.add_argument(
                option.flag, dest=dest, action="append", metavar=option.metavar, help=text
            )
        else:
            parser.add_argument(
                option.flag,
                dest=dest,
                type={"int": whole, "float": number}.get(option.kind, str),
                choices=option.choices or None,
                metavar=None if option.choices else option.metavar,
                help=text,
            )
    except argparse.ArgumentError:
        raise HyperbatonError(
            f"the study's option {option.flag} has the name of an option of every study: "
            "give its field another flag"
        ) from None


def _dest(flag: str) -> str:
    return f"own {flag}"


def _given(args: argparse.Namespace, study: type[Study]) -> dict[str, object]:
    """The study's own options that the command line names."""
    found = {option.name: getattr(args, _dest(option.flag)) for option in options_of(study)}
    return {name: value for name, value in found.items() if value is not None}


def _metrics(args: argparse.Namespace, study: type[Study]) -> list[str]:
    """Metrics by `-m`, and by the flags that put something before the name."""
    flagged = [
        f"{prefix}{name}"
        for flag, prefix in study.metric_flags.items()
        for name in getattr(args, _dest(flag))
    ]
    return [*args.metric, *flagged]


def _paths(args: argparse.Namespace) -> list[str]:
    named = [path for path in (args.source, *args.reference) if path]
    if named and args.files:
        raise HyperbatonError("files are given twice: either -s FILE -r FILE, or FILE FILE")
    if args.reference and not args.source:
        raise HyperbatonError(f"-r {args.reference[0]} has no source: add -s FILE")
    return named or list(args.files)


def _corpora(args: argparse.Namespace, study: Study) -> Sequence[Corpus]:
    """The corpus that the command line names, if it names one."""
    paths = _paths(args)
    if not (paths or args.shipped):
        if args.languages:
            raise HyperbatonError(f"-l {args.languages} has no texts: add -s FILE -r FILE")
        return ()
    if paths and args.shipped:
        raise HyperbatonError("--shipped takes the place of files: leave one of them out")
    if not args.languages:
        raise HyperbatonError("-l is missing: name the languages, e.g. -l en-de")
    pair = Pair.parse(args.languages)
    return (
        study.demo_corpus(pair, args.limit)
        if args.shipped
        else study.corpus(paths, pair, args.limit),
    )


def _parsers(args: argparse.Namespace, corpora: Sequence[Corpus]) -> dict[str, str]:
    """The parser of each language of the run that `--parser` names one for."""
    pairs = [corpus.pair for corpus in corpora]
    languages = dict.fromkeys(code for pair in pairs for code in (pair.source, pair.target))
    found = {language: parser_for(args.parser, language) for language in languages}
    return {language: spec for language, spec in found.items() if spec is not None}


def _examples(name: str, study: type[Study]) -> str:
    pair = study.demo_pairs[0]
    settings = [
        f"  {option.name} = {_toml(option)}"
        for option in options_of(study)
        if option.default not in (None, "")
    ]
    own = [study.examples] if study.examples else []
    generic = [
        f"  hyperbaton {name} --shipped -l {pair} --limit 20 --system bundled --out runs/shipped",
        f"  hyperbaton {name} --config matrix.toml --out runs/matrix",
        f"  hyperbaton demo {name}",
        "",
        MATRIX.format(options="\n".join([*settings, ""]), pair=pair),
    ]
    return "\n".join([*own, *generic])


def _toml(option: Option) -> str:
    if option.repeat:
        return f'["{option.default}"]'
    if option.kind == "str":
        return f'"{option.default}"'
    return str(option.default).lower()
