"""One declaration of run options: the command line, TOML and Python say the same."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import hyperbaton
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.cli.options.parser import Parser
from hyperbaton.cli.options.study import add_run_arguments, run_options
from hyperbaton.pipeline import RunOptions

TOML = {"workers": 2, "time_limit": "2h", "parsers": {"de": "plain"}, "poles": False}


def _options(*words: str, toml: dict[str, object] | None = None) -> RunOptions:
    parser = Parser()
    add_run_arguments(parser)
    return run_options(parser.parse_args(words), toml, "matrix.toml")


def test_a_key_in_toml_is_a_flag_and_a_keyword() -> None:
    flags = ("--workers", "2", "--time-limit", "2h", "--parser", "de=plain", "--no-poles")
    assert _options(*flags) == _options(toml=TOML)
    python = RunOptions.of({**TOML, "time_limit": 7200})
    assert _options(*flags).time_limit == python.time_limit == 7200
    assert {*TOML} < {*inspect.signature(hyperbaton.wordorder).parameters}


def test_the_command_line_comes_first() -> None:
    both = _options("--workers", "0", "--parser", "en=plain", "--no-retry-failed", toml=TOML)
    assert (both.workers, both.parsers) == (0, {"de": "plain", "en": "plain"})
    assert _options("--parser", "stanza", toml=TOML).parsers == {"": "stanza"}


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ({"workers": "two"}, "matrix.toml: workers: a whole number, not 'two'"),
        ({"workers": True}, "matrix.toml: workers must be a whole number, not True"),
        ({"workers": -1}, "matrix.toml: workers: at least 0"),
        ({"poles": "yes"}, "matrix.toml: poles must be true or false, not 'yes'"),
        ({"parsers": ["plain"]}, "matrix.toml: parsers must be a table"),
        ({"parsers": {"de": 3}}, "matrix.toml: parsers.de must be a text, not 3"),
        ({"engine": "cluster"}, "unknown engine 'cluster'"),
        ({"max_cost": 5}, "--max-cost needs the price"),
        ({"prices": {"": "free"}}, "matrix.toml: prices: a price such as 20/1M"),
    ],
)
def test_a_wrong_key_is_one_sentence(toml: dict[str, object], message: str) -> None:
    with pytest.raises(HyperbatonError, match=message):
        _options(toml=toml)


def test_two_parsers_of_a_language_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--parser", "de=plain", "--parser", "de=stanza", "-l", "de", str(Path(__file__)))
    assert main(["parse", *words]) == 2
    assert "two values for 'de': keep one" in capsys.readouterr().err
