"""The command of any registered study: run it, write the report, print what was found."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.options.study import (
    Matrix,
    add_study_arguments,
    command_line,
    given_options,
    named_metrics,
    named_paths,
    run_options,
    study_examples,
)
from hyperbaton.cli.terminal.results import finish, show
from hyperbaton.cli.terminal.streams import say
from hyperbaton.pipeline import Corpus, Pair
from hyperbaton.studies.layer.experiment import Experiment, ReadsRecorded
from hyperbaton.studies.registry import STUDIES, make_study


class StudyVerb:
    """A study as a command."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.study: type[Experiment] = STUDIES.get(name)
        self.DESCRIPTION = "\n".join(filter(None, (self.study.title, self.study.question)))
        self.add_arguments = partial(add_study_arguments, study=self.study)

    @property
    def EXAMPLES(self) -> str:  # noqa: N802 - as the modules of other commands call it
        """Commands and a matrix to copy."""
        return study_examples(self.name, self.study)

    def run(self, args: argparse.Namespace) -> int:
        """Run or resume the study, then write the report and print what was found."""
        from hyperbaton.studies.layer.register import claims_named

        claims = claims_named(getattr(args, "claims", ()), self.name)
        if getattr(args, "recorded", None):
            return self._recorded(args, claims)
        from hyperbaton.studies.layer.running import run_study

        matrix = self._matrix(args)
        study = make_study(self.name, {**matrix.options, **given_options(args, self.study)})
        corpora = (*matrix.corpora, *_corpora(args, study))
        systems = matrix.systems
        if study.asks:  # those of the command line, and folders of them
            folders = getattr(args, "systems", [])
            systems = (*systems, *args.system, *(f"file:{folder}" for folder in folders))
        if not corpora:
            raise HyperbatonError(
                "no corpus was given: name files (-s FILE -r FILE -l en-de), use --shipped, "
                "or write a matrix (--config FILE)"
            )
        flag = self.study.command.systems[0]
        if study.asks and not (systems or matrix.only) and flag != "--system":
            kind = flag.lstrip("-")
            raise HyperbatonError(f"{flag} is missing: name one, see hyperbaton ls {kind}s")
        if args.out is None:
            raise HyperbatonError("--out is missing: name a folder for the run, e.g. --out runs/a")
        session = run_study(
            study,
            corpora,
            systems,
            args.out,
            metrics=named_metrics(args, self.study) or matrix.metrics,
            only=matrix.only,
            options=run_options(args, matrix.run, str(args.config)),
        )
        session.claims = claims
        return finish(session, args)

    def _matrix(self, args: argparse.Namespace) -> Matrix:
        """What the file says that `--config` names, if it names any."""
        if args.config is None:
            return Matrix()
        from hyperbaton.cli.options.matrix import read_matrix

        return read_matrix(args.config, self.name, args.limit, given_options(args, self.study))

    def _recorded(self, args: argparse.Namespace, claims: Sequence[str]) -> int:
        from hyperbaton.studies.layer.claims import with_claims

        named = named_metrics(args, self.study)
        if named_paths(args) or args.shipped or args.config or args.system or named:
            raise HyperbatonError(
                "--recorded takes the place of a run: leave out files, systems and metrics"
            )
        study = make_study(self.name, given_options(args, self.study))
        if not isinstance(study, ReadsRecorded):
            raise HyperbatonError(f"{study.name} reads no recorded answers: give it a corpus")
        result = study.recorded(args.recorded, command_line())
        page = None if args.out is None or args.no_report else args.out / "report.html"
        contents = with_claims(self.name, result.contents, claims)
        for caution in contents.cautions:
            say(caution)
        show(study, contents, result.scores, [], page, args)
        return 1 if contents.cautions else 0


def _corpora(args: argparse.Namespace, study: Experiment) -> Sequence[Corpus]:
    """The corpora that the command line names, if it names any."""
    paths = named_paths(args)
    if args.shipped:
        if paths:
            raise HyperbatonError("--shipped takes the place of files: leave one of them out")
        if not args.languages:
            raise HyperbatonError("-l is missing: name the languages, e.g. -l en-de")
        return (study.demo_corpus(Pair.parse(args.languages), args.limit),)
    if not paths and (args.config or study.command.needs_files):
        if args.languages:
            raise HyperbatonError(f"-l {args.languages} has no texts: add -s FILE -r FILE")
        return ()
    return study.corpora(paths, args.languages, args.limit)
