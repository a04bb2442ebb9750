"""From text to Sentence: parsers behind one interface."""

from __future__ import annotations

from hyperbaton.parsing.catalogue import Candidate, NoParser, best_parser, candidates
from hyperbaton.parsing.opening import open_parser
from hyperbaton.parsing.parser import PARSERS, Parser, ParserSpec, normalise

__all__ = [
    "PARSERS",
    "Candidate",
    "NoParser",
    "Parser",
    "ParserSpec",
    "best_parser",
    "candidates",
    "normalise",
    "open_parser",
]
