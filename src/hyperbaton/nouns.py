"""Noun units: what moves as one when a perturbation moves nouns."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from hyperbaton.extras import need
from hyperbaton.labels import recognise
from hyperbaton.languages import base
from hyperbaton.sentence import Sentence

if TYPE_CHECKING:
    from spacy.vocab import Vocab

__all__ = ["Span", "noun_rule", "noun_units"]

Span = tuple[int, int]

_TAGS = frozenset(
    {"ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN"}
    | {"PUNCT", "SCONJ", "SYM", "VERB", "X"}
)
"""The universal tags; spaCy refuses others."""
_HEADS = frozenset({"NOUN", "PROPN", "PRON"})
_SINGLE = frozenset({"NOUN", "PRON"})
_LEFT = frozenset({"det", "amod", "nummod", "compound", "flat", "clf"})
_CLAUSES = frozenset({"acl", "advcl", "ccomp", "xcomp", "csubj", "parataxis"})
_BARRED = _CLAUSES | {"case", "punct"}


def noun_rule(sentence: Sentence) -> str:
    """Which rule finds the noun units, for signatures: given, spacy, ud, tokens or none."""
    if sentence.noun_chunks is not None:
        return "given"
    if sentence.upos is None:
        return "none"
    if sentence.heads is None or sentence.deps is None:
        return "tokens"
    scheme = sentence.scheme or recognise(sentence.deps)
    if scheme == "ud":
        return "ud"
    return "spacy" if scheme else "tokens"


def noun_units(sentence: Sentence) -> tuple[Span, ...]:
    """The half-open spans of the noun units, from left to right, none overlapping another.

    >>> sentence = Sentence(("the", "big", "dog", "barks"), (True, True, True, False), "en",
    ...     upos=("DET", "ADJ", "NOUN", "VERB"), heads=(2, 2, 3, 3),
    ...     deps=("det", "amod", "nsubj", "root"))
    >>> noun_units(sentence)
    ((0, 3),)
    """
    given = sentence.noun_chunks
    if given is not None:
        return given if _are_apart(given) else _apart(given)
    match noun_rule(sentence):
        case "spacy":
            return _apart(_by_spacy(sentence))
        case "ud":
            return _apart(_by_ud(sentence))
        case "tokens":
            return _by_token(sentence)
    return ()


def _are_apart(spans: Iterable[Span]) -> bool:
    """Whether the spans stand from left to right, each after the one before."""
    last = 0
    for start, end in spans:
        if start < last or end <= start:
            return False
        last = end
    return True


def _apart(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans that overlap no earlier one; of those with the same start, the longest."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if span[0] < span[1] and (not kept or span[0] >= kept[-1][1]):
            kept.append(span)
    return tuple(kept)


def _by_token(sentence: Sentence) -> tuple[Span, ...]:
    upos = sentence.upos or ()
    return tuple((i, i + 1) for i, tag in enumerate(upos) if tag in _SINGLE)


def _by_ud(sentence: Sentence) -> list[Span]:
    """A noun, name or pronoun with its contiguous left dependents and the rest of its flat name."""
    upos, heads, deps = sentence.upos or (), sentence.heads or (), sentence.deps or ()
    units = []
    for noun, tag in enumerate(upos):
        if tag in _HEADS:
            start, end = noun, noun + 1
            while start > 0 and _belongs(start - 1, noun, heads, deps, left=True):
                start -= 1
            # UD hangs the second half of a name on the first, so `flat` lies to the right.
            while end < len(upos) and _belongs(end, noun, heads, deps, left=False):
                end += 1
            units.append((start, end))
    return units


def _belongs(
    word: int, noun: int, heads: tuple[int, ...], deps: tuple[str, ...], *, left: bool
) -> bool:
    """Whether the way up from a word ends at the noun by a relation inside a noun unit."""
    for _ in heads:  # as many steps as there are words: heads in a circle end too
        relation = deps[word].split(":")[0]
        if relation in _BARRED or heads[word] == word:
            return False
        if heads[word] == noun:
            if left:
                return relation in _LEFT or deps[word] == "nmod:poss"
            return relation == "flat"
        word = heads[word]
    return False


def _by_spacy(sentence: Sentence) -> Iterable[Span]:
    """What spaCy's rule of the language finds in a document filled with this tree."""
    vocab = _vocab(base(sentence.language))
    doc = need("spacy.tokens", extra="spacy", package="spaCy").Doc(
        vocab,
        words=[word or "_" for word in sentence.words],
        spaces=list(sentence.spaces),
        pos=[tag if tag in _TAGS else "X" for tag in sentence.upos or ()],
        heads=list(sentence.heads or ()),
        deps=list(sentence.deps or ()),
    )
    try:
        return [(chunk.start, chunk.end) for chunk in doc.noun_chunks]
    except NotImplementedError:  # spaCy has no rule for this language
        return _by_token(sentence)


@cache
def _vocab(language: str) -> Vocab:
    """An empty vocabulary with the language's rules; of no language where spaCy has not got it."""
    spacy = need("spacy", extra="spacy", package="spaCy")
    try:
        vocab: Vocab = spacy.util.get_lang_class(language)().vocab
    except ImportError:
        vocab = spacy.blank("xx").vocab
    return vocab
