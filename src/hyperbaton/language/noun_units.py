"""Noun units: what moves as one when a perturbation moves nouns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hyperbaton.language.dependency_trees import recognise
from hyperbaton.language.languages import base
from hyperbaton.language.sentence import Sentence

Span = tuple[int, int]

_HEADS = frozenset({"NOUN", "PROPN", "PRON"})
_SINGLE = frozenset({"NOUN", "PRON"})
_LEFT = frozenset({"det", "amod", "nummod", "compound", "flat", "clf"})
_CLAUSES = frozenset({"acl", "advcl", "ccomp", "xcomp", "csubj", "parataxis"})
_BARRED = _CLAUSES | {"case", "punct"}
# The relations of spaCy's `noun_chunks`: spacy.lang.en and spacy.lang.de, syntax_iterators.py.
_CLEAR = frozenset(
    {"oprd", "nsubj", "dobj", "nsubjpass", "pcomp", "pobj", "dative", "appos", "attr", "ROOT"}
)
_TIGER = frozenset({"sb", "oa", "da", "nk", "mo", "ag", "ROOT", "root", "cj", "pd", "og", "app"})


def noun_rule(sentence: Sentence) -> str:
    """Which rule finds the noun units: given, ud, clear, tiger, tokens or none.

    Labels of a scheme that has no rule, such as the Chinese one, give single tokens.
    """
    if sentence.noun_chunks is not None:
        return "given"
    if sentence.upos is None:
        return "none"
    if sentence.heads is None or sentence.deps is None:
        return "tokens"
    scheme = sentence.scheme or recognise(sentence.deps)
    if scheme == "clear" and base(sentence.language) == "zh":
        return "tokens"  # a few Chinese labels alone can look like ClearNLP's
    return scheme if scheme in ("ud", "clear", "tiger") else "tokens"


def noun_units(sentence: Sentence) -> tuple[Span, ...]:
    """The half-open spans of the noun units, from left to right, none overlapping another.

    >>> sentence = Sentence(("the", "big", "dog", "barks"), (True, True, True, False), "en",
    ...     upos=("DET", "ADJ", "NOUN", "VERB"), heads=(2, 2, 3, 3),
    ...     deps=("det", "amod", "nsubj", "root"))
    >>> noun_units(sentence)
    ((0, 3),)
    """
    if sentence.noun_chunks is not None:
        return _apart(sentence.noun_chunks)
    match noun_rule(sentence):
        case "ud":
            return _apart(_by_ud(sentence))
        case "clear":
            return tuple(_by_clear(sentence))
        case "tiger":
            return tuple(_by_tiger(sentence))
        case "tokens":
            return _by_token(sentence)
    return ()


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
    """Whether the way up from a word ends at the noun by a relation inside a noun unit.

    The dependent of the noun that the way ends with must stand on the same side of it: what hangs
    on a conjunct to the right of the noun is no part of what stands to its left.
    """
    for _ in heads:  # as many steps as there are words: heads in a circle end too
        relation = deps[word].split(":")[0]
        if relation in _BARRED or heads[word] == word:
            return False
        if heads[word] == noun:
            if left:
                return word < noun and (relation in _LEFT or deps[word] == "nmod:poss")
            return word > noun and relation == "flat"
        word = heads[word]
    return False


def _by_clear(sentence: Sentence) -> Iterator[Span]:
    """A noun in the place of one, with all that stands and hangs to its left, as English spaCy."""
    upos, heads, deps = sentence.upos or (), sentence.heads or (), sentence.deps or ()
    edges = _left_edges(heads)
    last = -1
    for noun, tag in enumerate(upos):
        if tag not in _HEADS or edges[noun] <= last:
            continue
        first = noun
        if deps[noun] == "conj":
            first = heads[noun]
            while deps[first] == "conj" and heads[first] < first:
                first = heads[first]
        if deps[first] in _CLEAR:
            last = noun
            yield edges[noun], noun + 1


def _by_tiger(sentence: Sentence) -> Iterator[Span]:
    """The same in German, with close appositions to the right ("eine Tasse Tee")."""
    upos, heads, deps = sentence.upos or (), sentence.heads or (), sentence.deps or ()
    edges = _left_edges(heads)
    close: dict[int, int] = {}
    for word, head in enumerate(heads):
        if word > head and deps[word] == "nk" and upos[word] in ("NOUN", "PROPN"):
            close[head] = word
    last = -1
    for noun, tag in enumerate(upos):
        if tag in _HEADS and deps[noun] in _TIGER and edges[noun] > last and noun > last:
            last = close.get(noun, noun)
            yield edges[noun], last + 1


def _left_edges(heads: Sequence[int]) -> list[int]:
    """The leftmost word of the subtree of each word."""
    edges = list(range(len(heads)))
    for word in range(len(heads)):
        # A head that a word as far left has reached has been passed by all that is above it.
        above = heads[word]
        while edges[above] > word:
            edges[above] = word
            above = heads[above]
    return edges
