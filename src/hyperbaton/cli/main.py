"""The command `hyperbaton`: finds the verb, loads its file, turns errors into one sentence."""

from __future__ import annotations

import argparse
import importlib
import keyword
import os
import sys
from collections.abc import Sequence
from typing import Protocol, cast

from hyperbaton import __version__
from hyperbaton.cli import streams
from hyperbaton.cli.parser import Parser
from hyperbaton.cli.signals import Stopped, stoppable
from hyperbaton.errors import HyperbatonError, did_you_mean

__all__ = ["VERBS", "Verb", "main"]

BROKEN_PIPE = 141
"""The status of a shell command whose reader went away (`| head`): 128 + SIGPIPE."""

VERBS: dict[str, str] = {
    "demo": "the word-order study on what comes along: a report in minutes",
    "wordorder": "is a translator robust to the order of words, or faithful to it?",
    "translate": "translate text with any system",
    "export": "write the texts that a system elsewhere is to translate",
    "import": "read the answers of a system elsewhere",
    "cache": "show or clear the store of translations",
    "parsers": "what is installed to parse each language, and how to install it",
    "parse": "text to CoNLL-U",
    "counts": "to how many items each perturbation applies",
    "show": "one sentence, its tree and every perturbation of it",
    "perturb": "perturb sentences from a file or standard input",
    "score": "rate translations against references: BLEU, chrF, TER and more",
    "ls": "list perturbations, metrics, systems, parsers, languages",
    "check": "whether a run meets thresholds, as an exit code",
    "report": "the page on finished runs, and its figures and tables as files",
    "isometry": "do paraphrases stay paraphrases when they are translated?",
    "train": "train a translator from parallel text",
}
"""Each verb with its line in `--help`; the verb lives in `hyperbaton.cli.<verb>`."""

EXAMPLES = """\
examples:
  hyperbaton show "Tom said that he would come home soon."
  hyperbaton perturb -l en --with treeMirrorPre --with wordShuffle news.en
  hyperbaton translate --system ct2:models/en-de -l en-de news.en
  hyperbaton score -m BLEU -m chrF output.de reference.de
"""


class Verb(Protocol):
    """What a verb's file holds: a description, examples, its arguments, and what it does."""

    DESCRIPTION: str
    EXAMPLES: str

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
        return _finished(_dispatch(arguments))
    except HyperbatonError as error:
        if debug:
            _print_traceback()
        streams.say(error)
        return 2
    except OSError as error:
        if streams.is_broken_pipe(error):
            return BROKEN_PIPE
        return _unexpected(error, debug)
    except Exception as error:
        return _unexpected(error, debug)


def _finished(code: int) -> int:
    """The status of a command that ran to its end; a failure stays one when nobody reads it."""
    try:
        streams.flush()
    except (OSError, HyperbatonError):
        if code == 0:
            raise
    return code


def _unexpected(error: Exception, debug: bool) -> int:
    from hyperbaton.cli.explain import explained

    if debug:
        _print_traceback()
    streams.say(explained(error))
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
    name, rest = arguments[0], arguments[1:]
    if name not in VERBS:
        raise HyperbatonError(
            f"unknown command '{name}'.{did_you_mean(name, VERBS)} See: hyperbaton --help"
        )
    file = f"{name}_" if keyword.iskeyword(name) else name.replace("-", "_")
    module = importlib.import_module(f"hyperbaton.cli.{file}")
    verb = cast(Verb, module)
    parser = Parser(
        prog=f"hyperbaton {name}",
        description=verb.DESCRIPTION,
        epilog=f"examples:\n{verb.EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    verb.add_arguments(parser)
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    try:
        args = parser.parse_args(rest)
    except SystemExit:  # after --help
        return 0
    return verb.run(args)


def _overview() -> str:
    width = max(map(len, VERBS), default=0)
    lines = [
        "usage: hyperbaton COMMAND [options]",
        "",
        "A laboratory for translators: vary a sentence, translate both, see what the system did.",
        "",
        "commands:",
        *(f"  {name:<{width}}  {line}" for name, line in VERBS.items()),
        "",
        "hyperbaton COMMAND --help shows the options of a command, with examples.",
        "",
        EXAMPLES,
    ]
    return "\n".join(lines).rstrip()
