"""From what any parser reports to a Sentence that spells its text again.

`assemble` takes tokens with offsets, tags and heads; `sentence_of` the tokens of a parser that cuts
contractions into syntactic words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hyperbaton.language.contractions import Contraction, as_written
from hyperbaton.language.sentence import Sentence

Span = tuple[int, int]


@dataclass(frozen=True)
class Analysis:
    """A parser's answer for one text: columns over its tokens, heads absolute, roots themselves."""

    offsets: Sequence[Span]
    upos: Sequence[str]
    heads: Sequence[int]
    deps: Sequence[str]
    starts: Sequence[int]
    noun_chunks: Sequence[Span] | None = None


def cover(text: str, offsets: Sequence[Span]) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """Words and spaces that spell the text, whatever a tokenizer left out.

    Characters between two words that no token holds go to the word before them (to the first word
    at the start of the text).

    >>> cover("¡Hola, Ana!", [(1, 5), (7, 10), (10, 11)])
    (('¡Hola,', 'Ana', '!'), (True, False, False))
    """
    words: list[str] = []
    spaces: list[bool] = []
    begin = 0
    for i, (_, end) in enumerate(offsets):
        following = offsets[i + 1][0] if i + 1 < len(offsets) else len(text)
        held = text[begin : max(following, end)]
        words.append(held.removesuffix(" "))
        spaces.append(held.endswith(" "))
        begin = max(following, end)
    return tuple(words), tuple(spaces)


def assemble(text: str, analysis: Analysis, language: str, scheme: str, item: str) -> Sentence:
    """The sentence of a text (already normalised), without tokens of white space."""
    a = _without_spaces(text, analysis)
    words, spaces = cover(text, a.offsets)
    return Sentence(
        words=words,
        spaces=spaces,
        language=language,
        upos=tuple(a.upos),
        heads=tuple(a.heads),
        deps=tuple(a.deps),
        noun_chunks=None if a.noun_chunks is None else tuple(a.noun_chunks),
        starts=tuple(a.starts) or (0,),
        scheme=scheme,
        id=item,
    )


def _without_spaces(text: str, a: Analysis) -> Analysis:
    """White-space tokens fold away; what hung on one hangs on what that one hung on."""
    kept = [i for i, (begin, end) in enumerate(a.offsets) if text[begin:end].strip()]
    if len(kept) == len(a.offsets):
        return a
    place = {old: new for new, old in enumerate(kept)}
    starts = sorted({_first_kept(start, place, len(a.offsets)) for start in a.starts} - {-1})
    ends = [*starts[1:], len(kept)]
    heads = [_climb(i, a.heads, place) for i in kept]
    for start, end in zip(starts, ends, strict=True):
        _root_once(heads, start, end)
    chunks = a.noun_chunks
    return replace(
        a,
        offsets=[a.offsets[i] for i in kept],
        upos=[a.upos[i] for i in kept],
        heads=heads,
        deps=[a.deps[i] for i in kept],
        starts=starts,
        noun_chunks=chunks and [s for s in (_refit(c, place) for c in chunks) if s],
    )


def _climb(token: int, heads: Sequence[int], place: dict[int, int]) -> int:
    """The nearest kept ancestor, or the token itself where there is none."""
    head = heads[token]
    while head not in place and heads[head] != head:
        head = heads[head]
    return place.get(head, place[token])


def _root_once(heads: list[int], start: int, end: int) -> None:
    """One root a sentence: when a white-space token was it, its first child takes its place."""
    roots = [i for i in range(start, end) if heads[i] == i]
    for other in roots[1:]:
        heads[other] = roots[0]


def _first_kept(start: int, place: dict[int, int], size: int) -> int:
    return next((place[i] for i in range(start, size) if i in place), -1)


def _refit(chunk: Span, place: dict[int, int]) -> Span | None:
    inside = [place[i] for i in range(*chunk) if i in place]
    return (inside[0], inside[-1] + 1) if inside else None


@dataclass(frozen=True)
class Word:
    """A syntactic word; `head` is 0-based within its sentence, -1 for the root."""

    form: str
    upos: str
    head: int
    dep: str


@dataclass(frozen=True)
class Token:
    """What is written from `begin` to `end` of the text, and the words that it stands for."""

    begin: int
    end: int
    words: tuple[Word, ...]


def sentence_of(
    text: str, sentences: Sequence[Sequence[Token]], language: str, scheme: str, item: str
) -> Sentence:
    """One Sentence of a text that a parser cut into sentences, tokens and words."""
    tokens = [token for sentence in sentences for token in sentence]
    written, gaps = cover(text, [(token.begin, token.end) for token in tokens])
    words: list[str] = []
    spaces: list[bool] = []
    contractions: list[Contraction] = []
    for token, form, gap in zip(tokens, written, gaps, strict=True):
        size = len(token.words)
        if size > 1:
            contractions.append(Contraction(len(words), len(words) + size, form))
        words += [form] if size == 1 else [word.form for word in token.words]
        spaces += [False] * (size - 1) + [gap]
    starts, heads = _tree(sentences)
    flat = [word for token in tokens for word in token.words]
    sentence_in_parts = Sentence(
        tuple(words),
        tuple(spaces),
        language,
        tuple(word.upos for word in flat),
        heads,
        tuple(word.dep for word in flat),
        starts=starts or (0,),
        scheme=scheme,
        id=item,
    )
    return as_written(sentence_in_parts, contractions)


def _tree(sentences: Sequence[Sequence[Token]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where each sentence starts, and heads counted through the whole text."""
    starts: list[int] = []
    heads: list[int] = []
    for sentence in sentences:
        start = len(heads)
        starts.append(start)
        for own, word in enumerate(word for token in sentence for word in token.words):
            heads.append(start + (own if word.head < 0 else word.head))
    return tuple(starts), tuple(heads)
