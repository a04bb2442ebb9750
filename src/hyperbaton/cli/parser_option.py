"""The option `--parser LANG=SPEC`, the same in every command."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from hyperbaton.errors import HyperbatonError

__all__ = ["add_parser_argument", "parsers_of"]


def add_parser_argument(parser: argparse.ArgumentParser) -> None:
    """Which parser reads a language; `args.parser` is a list for `parsers_of`."""
    parser.add_argument(
        "--parser",
        action="append",
        default=[],
        metavar="LANG=SPEC",
        help="parse a language with this parser, e.g. en=spacy:en_core_web_sm "
        "(repeat; see: hyperbaton parsers)",
    )


def parsers_of(options: Iterable[str]) -> dict[str, str]:
    """The parser of each language that `--parser` names.

    >>> parsers_of(["de=spacy:de_core_news_lg", "en=plain"])
    {'de': 'spacy:de_core_news_lg', 'en': 'plain'}
    """
    found: dict[str, str] = {}
    for text in options:
        language, equals, spec = text.partition("=")
        if not (equals and language.replace("-", "").isalpha() and spec):
            raise HyperbatonError(
                f"--parser {text}: write it as LANG=SPEC, e.g. de=spacy:de_core_news_lg"
            )
        if found.setdefault(language, spec) != spec:
            raise HyperbatonError(f"--parser names two parsers for {language}: name one")
    return found
