"""What changed between a sentence as written and as corrected: typed edits, as M2 holds them.

English by ERRANT (Bryant et al. 2017) where it is installed. Else by the least number of changed
words, with the part of speech as the type where a parser tells it: ERRANT's finer types know
English only.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from rapidfuzz.distance import Levenshtein

from hyperbaton.base import extras
from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.language.languages import base
from hyperbaton.parsing.installed import PipelineFiles, installed
from hyperbaton.parsing.parser import Parser

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = [
    "Annotator",
    "English",
    "Found",
    "Plain",
    "Typed",
    "annotator",
    "has_errant",
    "spacing",
    "types_signature",
]

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


class Typed(NamedTuple):
    """The words of two texts, and the edits from the first to the second."""

    written: tuple[str, ...]
    corrected: tuple[str, ...]
    edits: list[Found]


class Annotator(Protocol):
    """Finds the edits between two lists of words."""

    signature: str

    def __call__(self, written: Sequence[str], corrected: Sequence[str]) -> list[Found]: ...


class English:
    """ERRANT itself, over a spaCy pipeline of English."""

    def __init__(self) -> None:
        errant = extras.need("errant", extra="grammar")
        files = _pipeline()
        if files is None:
            raise HyperbatonError(
                "ERRANT needs an English parser of spaCy: pip install 'hyperbaton[grammar]'"
            )
        spacy = extras.need("spacy", extra="grammar")
        # The pipeline whole, as ERRANT wants its tags and lemmas.
        self._annotator = errant.load("en", cast("Language", spacy.load(files.path)))
        self.signature = _signature(files)

    def __call__(self, written: Sequence[str], corrected: Sequence[str]) -> list[Found]:
        """The edits with their types, from left to right."""
        docs = (self._annotator.parse(" ".join(words)) for words in (written, corrected))
        edits = self._annotator.annotate(*docs)
        return [Found(e.o_start, e.o_end, e.type, e.c_str) for e in edits]

    def texts(self, written: str, corrected: str) -> Typed:
        """The edits between two texts that nobody has cut into words but ERRANT's tokenizer.

        Its tokens of white space are no words; an edit of one keeps its type and its place.
        """
        noisy, clean = (
            self._annotator.parse(text.strip(), tokenise=True) for text in (written, corrected)
        )
        edits = self._annotator.annotate(noisy, clean)
        places = _places(noisy)
        found = [
            Found(places[e.o_start], places[e.o_end], e.type, " ".join(_words(e.c_toks)))
            for e in edits
        ]
        words = tuple(_words(noisy)), tuple(_words(clean))
        return Typed(*words, found or spacing(*words, written, corrected))


def _words(tokens: Doc) -> list[str]:
    return [token.text for token in tokens if not token.is_space]


def _places(tokens: Doc) -> list[int]:
    """Where each token is among those that are words, and where the end is."""
    found = [0]
    for token in tokens:
        found.append(found[-1] + (not token.is_space))
    return found


def spacing(
    words: Sequence[str], corrected: Sequence[str], written: str, right: str
) -> list[Found]:
    """The edits between texts of the same words, which differ in white space alone.

    ERRANT calls white space orthography, and does not see it between two tokens.

    >>> spacing(["wtf", "?"], ["wtf", "?"], "wtf ?", "wtf?")
    [Found(start=0, end=2, type='R:ORTH', correction='wtf ?')]
    """
    if list(words) != list(corrected) or written.strip() == right.strip():
        return []
    found: list[Found] = []
    left, other = _gaps(words, written), _gaps(words, right)
    for at in (i for i in range(1, len(words)) if left[i] != other[i]):
        # A word with wrong spaces on both sides is one edit with its neighbours.
        start = found.pop().start if found and found[-1].end == at else at - 1
        found.append(Found(start, at + 1, "R:ORTH", " ".join(words[start : at + 1])))
    return found or [Found(0, len(words), "R:ORTH", " ".join(words))]


def _gaps(words: Sequence[str], text: str) -> list[str]:
    """What stands before each word of a text."""
    found, at = [], 0
    for word in words:
        place = max(at, text.find(word, at))
        found.append(text[at:place])
        at = place + len(word)
    return found


class Plain:
    """The shortest way from one list of words to the other; a parser gives the types.

    >>> Plain(None)("Das Haus sind schön .".split(), "Das Haus ist schön .".split())
    [Found(start=2, end=3, type='R', correction='ist')]
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
        return [""] * len(words)


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
    kind = next(iter(kinds)) if len(kinds) == 1 else "OTHER"
    return f"{operation}:{kind}" if kind else operation


@cache
def annotator(language: str, parser: Parser | None = None) -> Annotator:
    """The annotator of a language, opened once."""
    return English() if base(language) == "en" and has_errant() else Plain(parser)


def has_errant() -> bool:
    """Whether errors in English can be typed: ERRANT and an English pipeline are installed."""
    try:
        extras.installed("errant", extra="grammar")
    except MissingExtra:
        return False
    return _pipeline() is not None


def types_signature(language: str) -> str:
    """Who finds and types the errors of a language, told without loading anything."""
    files = _pipeline() if base(language) == "en" and has_errant() else None
    return Plain(None).signature if files is None else _signature(files)


def _signature(files: PipelineFiles) -> str:
    return f"errant {version('errant')}|spacy:{files.name} {files.version}"


@cache
def _pipeline() -> PipelineFiles | None:
    """The English pipeline that is installed."""
    return next((files for files in installed() if base(files.language) == "en"), None)
