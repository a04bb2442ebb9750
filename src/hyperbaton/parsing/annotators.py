"""What changed between a sentence as written and as corrected: typed edits, as M2 holds them.

English by ERRANT (Bryant et al. 2017). Other languages by the least number of changed words, with
the part of speech as the type, since ERRANT's finer types know English only.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from rapidfuzz.distance import Levenshtein

from hyperbaton.errors import HyperbatonError
from hyperbaton.extras import need
from hyperbaton.languages import base
from hyperbaton.parsing.parser import Parser

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["Annotator", "English", "Found", "Plain", "annotator"]

_TAGS = {"PROPN": "NOUN", "AUX": "VERB", "ADP": "PREP", "CCONJ": "CONJ", "SCONJ": "CONJ"}
"""Parts of speech under ERRANT's names."""
_FARTHEST = 4
"""So many words a word may jump over to be in the wrong place rather than missing and added."""


class Found(NamedTuple):
    """The words [start, end) as written should be `correction`."""

    start: int
    end: int
    type: str
    correction: str


class Annotator(Protocol):
    """Finds the edits between two lists of words."""

    signature: str

    def __call__(self, written: Sequence[str], corrected: Sequence[str]) -> list[Found]: ...


class English:
    """ERRANT itself, over a spaCy pipeline of English."""

    def __init__(self) -> None:
        errant = need("errant", extra="grammar")
        self._nlp = _pipeline()
        self._annotator = errant.load("en", self._nlp)
        self.signature = f"errant|spacy:{self._nlp.meta['name']} {self._nlp.meta['version']}"

    def __call__(self, written: Sequence[str], corrected: Sequence[str]) -> list[Found]:
        """The edits with their types, from left to right."""
        docs = (self._annotator.parse(" ".join(words)) for words in (written, corrected))
        edits = self._annotator.annotate(*docs)
        return [Found(e.o_start, e.o_end, e.type, e.c_str) for e in edits]


class Plain:
    """The shortest way from one list of words to the other; a parser gives the types.

    >>> Plain(None)("Das Haus sind schön .".split(), "Das Haus ist schön .".split())
    [Found(start=2, end=3, type='R:OTHER', correction='ist')]
    """

    def __init__(self, parser: Parser | None) -> None:
        self._parser = parser
        self.signature = "least edits" + (f"|{parser.signature}" if parser else "")

    def __call__(self, written: Sequence[str], corrected: Sequence[str]) -> list[Found]:
        """The edits, neighbours as one."""
        tags = [self._tags(words) for words in (written, corrected)]
        return [
            Found(
                start,
                end,
                _type(
                    written[start:end],
                    corrected[left:right],
                    {*tags[0][start:end], *tags[1][left:right]},
                ),
                " ".join(corrected[left:right]),
            )
            for start, end, left, right in _spans(written, corrected)
        ]

    def _tags(self, words: Sequence[str]) -> Sequence[str]:
        """A part of speech for each word; none where the parser cuts words otherwise."""
        if self._parser is not None and words:
            [sentence] = self._parser.parse([" ".join(words)], ["1"])
            if sentence.words == tuple(words) and sentence.upos:
                return [_TAGS.get(tag, tag) for tag in sentence.upos]
        return ["OTHER"] * len(words)


def _spans(written: Sequence[str], corrected: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """What differs, as spans of both: neighbours as one, and a word that moved with its way."""
    found: list[tuple[int, int, int, int]] = []
    for code in Levenshtein.opcodes(written, corrected):
        if code.tag == "equal":
            continue
        span = (code.src_start, code.src_end, code.dest_start, code.dest_end)
        if found:
            start, end, left, right = found[-1]
            touching = (end, right) == (span[0], span[2])
            joint = (start, span[1], left, span[3])
            moved = sorted(written[start : span[1]]) == sorted(corrected[left : span[3]])
            if touching or (moved and span[0] - end <= _FARTHEST):
                found[-1] = joint
                continue
        found.append(span)
    return found


def _type(written: Sequence[str], corrected: Sequence[str], kinds: Set[str]) -> str:
    """M for what is missing, U for what is unnecessary, R for what is replaced, and its kind."""
    operation = "U" if not corrected else "R" if written else "M"
    if operation == "R":
        if sorted(written) == sorted(corrected):
            return "R:WO"
        if "".join(written).lower() == "".join(corrected).lower():
            return "R:ORTH"
    return f"{operation}:{next(iter(kinds)) if len(kinds) == 1 else 'OTHER'}"


@cache
def annotator(language: str, parser: Parser | None = None) -> Annotator:
    """The annotator of a language, opened once."""
    return English() if base(language) == "en" else Plain(parser)


def _pipeline() -> Language:
    """The English pipeline that is installed, whole, as ERRANT wants its tags and lemmas."""
    from hyperbaton.parsing.spacy_packages import installed

    spacy = need("spacy", extra="grammar")
    for files in installed():
        if base(files.language) == "en":
            return cast("Language", spacy.load(files.path))
    raise HyperbatonError(
        "ERRANT needs an English parser of spaCy: pip install 'hyperbaton[grammar]'"
    )
