"""Parsers that cut contractions into syntactic words: back to the words that the text holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hyperbaton.language.contractions import Contraction, as_written
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.assemble import cover

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
    whole = Sentence(
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
    return as_written(whole, contractions)


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
