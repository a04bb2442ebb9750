"""The command `hyperbaton`: finds the verb, loads its file, turns errors into one sentence."""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import keyword
import os
import sys
from collections.abc import Sequence
from typing import Protocol, cast

from hyperbaton import __version__
from hyperbaton.base.errors import HyperbatonError, OutOfBudget, did_you_mean, printable
from hyperbaton.cli.options.parser import Parser
from hyperbaton.cli.terminal import streams
from hyperbaton.cli.terminal.streams import Stopped, stoppable
from hyperbaton.studies import SHIPPED_STUDIES

BROKEN_PIPE = 141
"""The status of a shell command whose reader went away (`| head`): 128 + SIGPIPE."""

OUT_OF_BUDGET = 3
"""The status of a run that stopped at a limit on time, memory or money."""

VERBS: dict[str, str] = {
    "demo": "run a whole study on the shipped sentences; a report in minutes",
    "translate": "translate text with any system",
    "export": "export texts for a system on another machine",
    "import": "import translations made on another machine",
    "cache": "show, clear or repair stored translations and parses",
    "parsers": "list the parsers of each language, and how to install them",
    "parse": "parse text into CoNLL-U",
    "counts": "count the items to which each perturbation applies",
    "show": "show one sentence, every perturbation of it, and how systems translate each",
    "play": "open a page on which you move words and watch translators",
    "perturb": "perturb sentences from a file or standard input",
    "score": "score translations against references: BLEU, chrF, TER and more",
    "ls": "list perturbations, metrics, systems, parsers, encoders, studies and more",
    "break": "find the smallest change of each sentence that breaks its translation",
    "check": "compare a run with thresholds; the exit status says whether it meets them",
    "board": "compare many systems on one page: messy input, intervals, quality",
    "report": "write the report on finished runs, its figures and its tables",
    "cite": "print how to cite this software, or the paper of a study, as BibTeX",
    "train": "train a translator or a paraphrase detector",
}
"""Each verb with its line in `--help`; the verb lives in `hyperbaton.cli.verbs.<verb>`."""

EXAMPLES = """\
examples:
  hyperbaton show "Tom said that he would come home soon."
  hyperbaton perturb -l en --with treeMirrorPre --with wordShuffle news.en
  hyperbaton translate --system ct2:models/en-de -l en-de news.en
  hyperbaton score -m BLEU -m chrF output.de reference.de
"""


class Verb(Protocol):
    """What a verb's file holds: a description, examples, its arguments, and what it does."""

    @property
    def DESCRIPTION(self) -> str: ...  # noqa: N802 - a constant of a module
    @property
    def EXAMPLES(self) -> str: ...  # noqa: N802

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; docs/exit-status.md says which exit status it returns when."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments or os.environ.get("HYPERBATON_DEBUG", "0") not in ("", "0")
    if arguments[:1] == ["--debug"]:
        del arguments[0]
    # Products of small matrices: threads that wait for one another took 8 times as long as one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Hardly anything is in a cycle, and each look for garbage goes through all that there is: they
    # took an eighth of the time of a study.
    gc.set_threshold(200_000, 20, 100)
    # Nor is one worth looking for at the end: that took a tenth of a second of every command.
    atexit.register(gc.freeze)
    streams.prepare()
    try:
        with stoppable():
            return _guarded(arguments, debug)
    except Stopped as stop:
        streams.say(f"stopped by {stop}")
        return 128 + stop.number
    except KeyboardInterrupt:
        streams.say("stopped")
        return 130
    finally:
        streams.settle()


def _guarded(arguments: list[str], debug: bool) -> int:
    """The exit status of a command, also where it ends in an exception."""
    try:
        code = _dispatch(arguments)
        try:
            streams.flush()
        except (OSError, HyperbatonError):  # a failure stays one when nobody reads it
            if code == 0:
                raise
        return code
    except HyperbatonError as error:
        if debug:
            _print_traceback()
        streams.say(error)
        return OUT_OF_BUDGET if isinstance(error, OutOfBudget) else 2
    except OSError as error:
        if streams.is_broken_pipe(error):
            return BROKEN_PIPE
        return _unexpected(error, debug)
    except Exception as error:
        return _unexpected(error, debug)


def _unexpected(error: Exception, debug: bool) -> int:
    if debug:
        _print_traceback()
    streams.say(streams.explained(error))
    return 2


def _print_traceback() -> None:
    import traceback

    streams.say_lines(traceback.format_exc())


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_overview())
        return 0
    if arguments[0] in ("-V", "--version"):
        print(f"hyperbaton {__version__}")
        return 0
    if any("\x00" in argument for argument in arguments):
        raise HyperbatonError("an argument contains a NUL byte: remove it")
    name, rest = arguments[0], arguments[1:]
    verb = _verb(name)
    parser = Parser(
        prog=f"hyperbaton {name}",
        description=verb.DESCRIPTION,
        epilog=f"examples:\n{verb.EXAMPLES}" if {"-h", "--help"} & {*rest} else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    verb.add_arguments(parser)
    parser.add_argument("--debug", action="store_true", help="show the full traceback of an error")
    try:
        args = parser.parse_args(rest)
    except SystemExit:  # after --help
        return 0
    _check_paths(args)
    return verb.run(args)


def _check_paths(args: argparse.Namespace) -> None:
    """Addresses are for those arguments that take them."""
    from pathlib import Path

    from hyperbaton.base.remote_paths import local

    for value in vars(args).values():
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, Path):
                local(path)


def _verb(name: str) -> Verb:
    """The file of a verb, or the command of a study, also of one from another package."""
    if name in VERBS:
        file = f"{name}_" if keyword.iskeyword(name) else name.replace("-", "_")
        return cast(Verb, importlib.import_module(f"hyperbaton.cli.verbs.{file}"))
    from hyperbaton.cli.verbs.study import StudyVerb
    from hyperbaton.studies.registry import STUDIES

    known = [*VERBS, *STUDIES.names()]
    if name not in known:
        raise HyperbatonError(
            f"unknown command '{name}'.{did_you_mean(name, known)} See: hyperbaton --help"
        )
    return StudyVerb(name)


def _foreign_studies() -> dict[str, str]:
    """The studies of other packages, each with what its package says of itself; none is loaded."""
    from importlib.metadata import entry_points

    found = {}
    for point in sorted(entry_points(group="hyperbaton.studies"), key=lambda point: point.name):
        package = point.dist
        line = "a study of another package"
        if package is not None:
            about = package.metadata.json.get("summary")
            line = f"{about} ({package.name})" if about else f"a study of {package.name}"
        found[point.name] = line
    return found


def _overview() -> str:
    studies = {name: line for name, (_, line) in SHIPPED_STUDIES.items()} | _foreign_studies()
    width = max(map(len, (*VERBS, *studies)))
    lines = [
        "usage: hyperbaton COMMAND [options]",
        "",
        "A laboratory for translators: change a sentence, translate both versions, "
        "see what the system did.",
        "",
        "studies:",
        *(f"  {name:<{width}}  {printable(line)}" for name, line in studies.items()),
        "",
        "commands:",
        *(f"  {name:<{width}}  {line}" for name, line in VERBS.items()),
        "",
        "hyperbaton COMMAND --help shows the options of a command, with examples.",
        "",
        EXAMPLES,
    ]
    return "\n".join(lines).rstrip()
