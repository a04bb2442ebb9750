"""From what any parser reports (offsets, tags, heads) to a Sentence that spells its text again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hyperbaton.language.sentence import Sentence

__all__ = ["Analysis", "assemble", "cover"]

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
