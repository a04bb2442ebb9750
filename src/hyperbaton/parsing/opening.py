"""The one door to a parser: chosen or named, cached, in one process or several."""

from __future__ import annotations

from collections.abc import Callable

from hyperbaton.language.languages import writes_spaces
from hyperbaton.language.sentence import Need
from hyperbaton.parsing.cache import BATCH, CachedParser
from hyperbaton.parsing.catalogue import NoParser, best_parser
from hyperbaton.parsing.parser import PARSERS, Parser, ParserSpec
from hyperbaton.parsing.plain import Plain
from hyperbaton.parsing.workers import SHARE, PooledParser

__all__ = ["open_parser"]


def open_parser(
    language: str,
    spec: ParserSpec | str | None = None,
    *,
    need: Need = "parse",
    cache: bool = True,
    workers: int = 1,
    note: Callable[[str], None] = lambda _: None,
) -> Parser:
    """A parser of a language, the best that is installed unless one is named.

    Where none is, and words will do (`need`), the plain tokenizer, of which a `note` is made.
    `cache` keeps every parse on disk under (text, signature); `workers` processes share the rest.
    """
    chosen = PARSERS.parse(spec) if isinstance(spec, str) else spec or _best(language, need, note)
    parser = PooledParser(chosen, language, workers) if workers > 1 else chosen.open(language)
    if not cache or isinstance(chosen, Plain):  # it cuts a text as quickly as a parse is looked up
        return parser
    return CachedParser(parser, batch=max(BATCH, 4 * SHARE * workers))


def _best(language: str, need: Need, note: Callable[[str], None]) -> ParserSpec:
    """The best parser that is installed, or the plain tokenizer where that knows enough."""
    try:
        return best_parser(language)
    except NoParser as error:
        if not writes_spaces(language):
            if need == "parse":
                raise
            return Plain()  # says what it cannot do
        if need == "parse":
            raise NoParser(
                f"{error}; or take --parser {language}=plain, which knows words alone: enough for "
                "wordShuffle or reversed, not for parts of speech and trees"
            ) from None
        note(f"{error}; until then the plain tokenizer splits the words")
        return Plain()
