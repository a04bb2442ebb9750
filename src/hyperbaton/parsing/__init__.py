"""From text to Sentence: parsers behind one interface."""

from hyperbaton.parsing.parser import PARSERS, Parser, ParserSpec

__all__ = ["PARSERS", "Parser", "ParserSpec"]
