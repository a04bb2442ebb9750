"""The errors of sentences: edits found between two texts, or made in one clean text.

English by ERRANT (Bryant et al. 2017) where it is installed. Else by the least number of changed
words, with the part of speech as the type where a parser tells it: ERRANT's finer types know
English only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from rapidfuzz.distance import Levenshtein

from hyperbaton.alignment.words import cut
from hyperbaton.base import errors
from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.base.randomness import Rng
from hyperbaton.base.spec import Registry
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.m2 import Edit
from hyperbaton.language.languages import base
from hyperbaton.parsing.installed import PipelineFiles, installed
from hyperbaton.parsing.parser import Parser
from hyperbaton.perturb.errors.errors import Errors, with_gaps
from hyperbaton.pipeline import Pair, Parse, Run
from hyperbaton.studies.grammar.corpora import columns_of, edits_of, words_of

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = [
    "MADE",
    "Annotator",
    "English",
    "Found",
    "Mistakes",
    "Plain",
    "Typed",
    "annotator",
    "has_errant",
    "mistakes_of",
    "spacing",
    "types_note",
    "types_signature",
    "untyped",
    "with_errors",
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
        errant = errors.need("errant", extra="grammar")
        files = _pipeline()
        if files is None:
            raise HyperbatonError(
                "ERRANT needs an English parser of spaCy: pip install 'hyperbaton[grammar]'"
            )
        spacy = errors.need("spacy", extra="grammar")
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
        errors.installed("errant", extra="grammar")
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


MADE: Registry[Errors] = Registry(
    "kind of errors", {"errors": "hyperbaton.perturb.errors.errors:Errors"}
)


class Mistakes(NamedTuple):
    """The words of a sentence as written and as corrected, and the edits between them."""

    noisy: Sequence[str]
    clean: Sequence[str]
    edits: list[Edit]


def mistakes_of(item: Item, language: str) -> Mistakes:
    """The edits of an item: those that it came with, or those that an annotator finds.

    Words are cut for the edits alone: lines of text go to a translator as they are.
    """
    words, edits = words_of(item), edits_of(item)
    if words is not None and edits is not None:
        return Mistakes(*words, edits)
    finder = annotator(language)
    written, right = item.columns["varied"], item.source_text
    if words is None and isinstance(finder, English):
        typed = finder.texts(written, right)
        return Mistakes(typed.written, typed.corrected, [Edit(*one) for one in typed.edits])
    noisy, clean = words or (cut(written, language), cut(right, language))
    found = finder(noisy, clean)
    if words is None and not found:
        found = spacing(noisy, clean, written, right)
    return Mistakes(noisy, clean, [Edit(*one) for one in found])


def untyped(language: str) -> str:
    """Why errors in this language have no types although they could; empty where they have."""
    if base(language) != "en" or has_errant():
        return ""
    return (
        "errors have no types, since ERRANT is not installed: pip install 'hyperbaton[grammar]'; "
        "RB, f-scores and NR need none"
    )


def types_note(run: Run, pair: Pair) -> str:
    """Who found the errors of a run, in words, where that was not ERRANT; else nothing."""
    finder = run.record.parsers.get(f"{pair} probes", "errant")
    if finder.startswith("errant"):
        return ""
    why = (
        "ERRANT was not installed (pip install 'hyperbaton[grammar]')"
        if base(pair.source) == "en"
        else "ERRANT knows English only"
    )
    return f"{pair}: the errors are the least edits of words and have no types, since {why}."


def with_errors(
    items: Sequence[Item], spec: str, seed: int, pair: Pair, parse: Parse
) -> Iterator[Item]:
    """Clean sentences beside the same with errors; those that no error fits are left out."""
    made = MADE.parse(spec)
    ids = [item.id for item in items]
    sentences = parse([item.source for item in items], ids, pair.source)
    for item, sentence in zip(items, sentences, strict=True):
        noisy = made.noisy(sentence, Rng(seed, sentence.id, str(made)))
        if noisy is None:
            continue
        edits = [(c.start, c.end, c.type, " ".join(c.words)) for c in noisy.corrections]
        text = with_gaps(noisy, sentence, item.source_text)
        columns = columns_of(text, noisy.sentence.words, sentence.words, edits)
        yield Item(sentence.id, item.source_text, None, columns)
