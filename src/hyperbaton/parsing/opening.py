"""The one door to a parser: chosen or named, cached, in one process or several."""

from __future__ import annotations

from hyperbaton.parsing.cache import BATCH, CachedParser
from hyperbaton.parsing.catalogue import best_parser
from hyperbaton.parsing.parser import PARSERS, Parser, ParserSpec
from hyperbaton.parsing.workers import SHARE, PooledParser

__all__ = ["open_parser"]


def open_parser(
    language: str, spec: ParserSpec | str | None = None, *, cache: bool = True, workers: int = 1
) -> Parser:
    """A parser of a language, the best that is installed unless one is named.

    `cache` keeps every parse on disk under (text, signature); `workers` processes share the rest.
    """
    chosen = PARSERS.parse(spec) if isinstance(spec, str) else spec or best_parser(language)
    parser = PooledParser(chosen, language, workers) if workers > 1 else chosen.open(language)
    return CachedParser(parser, batch=max(BATCH, 4 * SHARE * workers)) if cache else parser
