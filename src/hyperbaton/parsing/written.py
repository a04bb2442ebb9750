"""Parsers that cut contractions into syntactic words: back to the words that the text holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hyperbaton.multiword import Contraction, as_written
from hyperbaton.parsing.assemble import Analysis, assemble, cover
from hyperbaton.sentence import Sentence

__all__ = ["Token", "Word", "sentence_of"]


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
    offsets: list[tuple[int, int]] = []
    upos: list[str] = []
    heads: list[int] = []
    deps: list[str] = []
    starts: list[int] = []
    forms: list[str] = []
    contracted: list[tuple[int, int, int]] = []
    tokens = [token for sentence in sentences for token in sentence]
    for sentence in sentences:
        start = len(upos)
        starts.append(start)
        for token in sentence:
            if len(token.words) > 1:
                contracted.append((len(upos), len(upos) + len(token.words), len(offsets)))
            offsets.append((token.begin, token.end))
            for word in token.words:
                own = len(upos)
                upos.append(word.upos)
                heads.append(own if word.head < 0 else start + word.head)
                deps.append(word.dep)
                forms.append(word.form)
    if not contracted:
        analysis = Analysis(offsets, upos, heads, deps, starts)
        return assemble(text, analysis, language, scheme, item)
    written, gaps = cover(text, offsets)
    words = list(forms)
    spaces = [False] * len(words)
    at = 0
    for token, form, gap in zip(tokens, written, gaps, strict=True):
        size = len(token.words)
        if size == 1:
            words[at] = form
        spaces[at + size - 1] = gap
        at += size
    whole = Sentence(
        tuple(words),
        tuple(spaces),
        language,
        tuple(upos),
        tuple(heads),
        tuple(deps),
        starts=tuple(starts) or (0,),
        scheme=scheme,
        id=item,
    )
    return as_written(whole, [Contraction(a, b, written[t]) for a, b, t in contracted])
