"""The errors of sentences: edits found between two texts, or made in one clean text.

English edits come from ERRANT (Bryant et al. 2017) where it is installed, with its types. Else they
are the least number of changed words, of the types M, R and U: ERRANT's finer types know English
only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple, cast

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
from hyperbaton.perturb.errors.errors import Errors, with_gaps
from hyperbaton.pipeline import Pair, Parse, Run
from hyperbaton.studies.grammar.corpora import columns_of, edits_of, words_of

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MADE: Registry[Errors] = Registry(
    "kind of errors", {"errors": "hyperbaton.perturb.errors.errors:Errors"}
)
_FARTHEST = 4
"""So many words a word may jump over to be in the wrong place rather than missing and added."""


class Annotated(NamedTuple):
    """The words of a sentence as written and as corrected, and the edits between them."""

    noisy: Sequence[str]
    clean: Sequence[str]
    edits: Sequence[Edit]


def annotated(item: Item, language: str) -> Annotated:
    """The edits that an item came with; else those that are found between its two texts.

    Words are cut for the edits alone: lines of text go to a translator as they are.
    """
    words, edits = words_of(item), edits_of(item)
    if words is not None and edits is not None:
        return Annotated(*words, edits)
    errant = _errant() if _errant_files(language) else None
    written, right = item.columns["varied"], item.source_text
    if words is None and errant is not None:
        return errant.texts(written, right)
    noisy, clean = words or (cut(written, language), cut(right, language))
    edits = (errant.edits if errant is not None else least_edits)(noisy, clean)
    if words is None and not edits:
        edits = spacing(noisy, clean, written, right)
    return Annotated(noisy, clean, edits)


class Errant:
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

    def edits(self, noisy: Sequence[str], clean: Sequence[str]) -> list[Edit]:
        """The edits between two lists of words, from left to right."""
        docs = (self._annotator.parse(" ".join(words)) for words in (noisy, clean))
        edits = self._annotator.annotate(*docs)
        return [Edit(e.o_start, e.o_end, e.type, e.c_str) for e in edits]

    def texts(self, written: str, corrected: str) -> Annotated:
        """The edits between two texts, cut into words by ERRANT's tokenizer.

        Its tokens of white space are no words; an edit of one keeps its type and its place.
        """
        noisy, clean = (
            self._annotator.parse(text.strip(), tokenise=True) for text in (written, corrected)
        )
        # Where each token is among those that are words, and where the end is.
        places = [0]
        for token in noisy:
            places.append(places[-1] + (not token.is_space))
        edits = [
            Edit(places[e.o_start], places[e.o_end], e.type, " ".join(_words(e.c_toks)))
            for e in self._annotator.annotate(noisy, clean)
        ]
        words = _words(noisy), _words(clean)
        return Annotated(*words, edits or spacing(*words, written, corrected))


def _words(tokens: Doc) -> tuple[str, ...]:
    return tuple(token.text for token in tokens if not token.is_space)


@cache
def _errant() -> Errant:
    """ERRANT, opened once."""
    return Errant()


@cache
def _pipeline() -> PipelineFiles | None:
    """The English pipeline that is installed."""
    return next((files for files in installed() if base(files.language) == "en"), None)


def _errant_files(language: str) -> PipelineFiles | None:
    """The pipeline that ERRANT types errors with; None in other languages or if not installed."""
    if base(language) != "en":
        return None
    try:
        errors.installed("errant", extra="grammar")
    except MissingExtra:
        return None
    return _pipeline()


def types_signature(language: str) -> str:
    """What finds and types the errors of a language, told without loading anything."""
    files = _errant_files(language)
    if files is None:
        return "least edits"
    return f"errant {version('errant')}|spacy:{files.name} {files.version}"


def untyped(language: str) -> str:
    """A warning where errors in this language have no types although they could."""
    if base(language) != "en" or _errant_files(language):
        return ""
    return (
        "errors have no types, since ERRANT is not installed: pip install 'hyperbaton[grammar]'; "
        "RB, f-scores and NR need none"
    )


def types_note(run: Run, pair: Pair) -> str:
    """Why the errors of a run have no types; empty where ERRANT typed them."""
    if run.record.parsers.get(f"{pair} probes", "errant").startswith("errant"):
        return ""
    why = (
        "ERRANT was not installed (pip install 'hyperbaton[grammar]')"
        if base(pair.source) == "en"
        else "ERRANT knows English only"
    )
    return f"{pair}: the errors are the least edits of words and have no types, since {why}."


def spacing(words: Sequence[str], corrected: Sequence[str], written: str, right: str) -> list[Edit]:
    """The edits between texts of the same words, which differ in white space alone.

    ERRANT calls white space orthography, and does not see it between two tokens.

    >>> spacing(["wtf", "?"], ["wtf", "?"], "wtf ?", "wtf?")
    [Edit(start=0, end=2, type='R:ORTH', correction='wtf ?', annotator=0)]
    """
    if list(words) != list(corrected) or written.strip() == right.strip():
        return []
    edits: list[Edit] = []
    gaps = zip(_gaps(words, written), _gaps(words, right), strict=True)
    for at, (before, after) in enumerate(gaps):
        if at and before != after:
            # A word with wrong spaces on both sides is one edit with its neighbours.
            start = edits.pop().start if edits and edits[-1].end == at else at - 1
            edits.append(Edit(start, at + 1, "R:ORTH", " ".join(words[start : at + 1])))
    return edits or [Edit(0, len(words), "R:ORTH", " ".join(words))]


def _gaps(words: Sequence[str], text: str) -> list[str]:
    """What stands before each word of a text."""
    gaps, at = [], 0
    for word in words:
        place = max(at, text.find(word, at))
        gaps.append(text[at:place])
        at = place + len(word)
    return gaps


def least_edits(noisy: Sequence[str], clean: Sequence[str]) -> list[Edit]:
    """The shortest way from one list of words to the other: M missing, U unnecessary, R replaced.

    Neighbours are one edit, and so is a word that moved with the words that it jumped over.

    >>> least_edits("Das Haus sind schön .".split(), "Das Haus ist schön .".split())
    [Edit(start=2, end=3, type='R', correction='ist', annotator=0)]
    """
    spans: list[tuple[int, int, int, int]] = []
    for code in Levenshtein.opcodes(noisy, clean):
        if code.tag == "equal":
            continue
        span = (code.src_start, code.src_end, code.dest_start, code.dest_end)
        if spans:
            start, end, left, right = spans[-1]
            touching = (end, right) == (span[0], span[2])
            moved = sorted(noisy[start : span[1]]) == sorted(clean[left : span[3]])
            if touching or (moved and span[0] - end <= _FARTHEST):
                spans[-1] = (start, span[1], left, span[3])
                continue
        spans.append(span)
    return [
        Edit(start, end, _type(noisy[start:end], clean[left:right]), " ".join(clean[left:right]))
        for start, end, left, right in spans
    ]


def _type(noisy: Sequence[str], clean: Sequence[str]) -> str:
    if not clean:
        return "U"
    if not noisy:
        return "M"
    if sorted(noisy) == sorted(clean):
        return "R:WO"
    return "R:ORTH" if "".join(noisy).lower() == "".join(clean).lower() else "R"


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
        edits = [Edit(c.start, c.end, c.type, " ".join(c.words)) for c in noisy.corrections]
        text = with_gaps(noisy, sentence, item.source_text)
        columns = columns_of(text, noisy.sentence.words, sentence.words, edits)
        yield Item(sentence.id, item.source_text, None, columns)
