"""A text as words and what stands between them: the pieces that a change changes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from hyperbaton.language.languages import has_case, writes_spaces
from hyperbaton.language.sentence import Sentence

_CHUNK = re.compile(r"\S+")


@dataclass(frozen=True)
class Words:
    """The pieces of a text: a gap, a word, a gap, … and a gap at the end; gaps may be empty.

    >>> cut('"Oh, don\\'t!"', "en").pieces
    ('"', 'Oh', ', ', "don't", '!"')
    """

    pieces: tuple[str, ...]
    language: str = "und"

    @cached_property
    def text(self) -> str:
        """The text as it was written."""
        return "".join(self.pieces)

    @property
    def words(self) -> tuple[str, ...]:
        """The words alone."""
        return self.pieces[1::2]

    def kept(self, start: int, end: int) -> Words:
        """The words from `start` to `end` with the marks at both ends of the text.

        What stands at the front then has a capital where the front had one.

        >>> cut("Yes, I must go, Tom.", "en").kept(1, 4).text
        'I must go.'
        """
        pieces = [self.pieces[0], *self.pieces[2 * start + 1 : 2 * end], self.pieces[-1]]
        if start and self.words[0][:1].isupper() and has_case(self.language):
            pieces[1] = pieces[1][:1].upper() + pieces[1][1:]
        return Words(tuple(pieces), self.language)


def cut(text: str, language: str = "und", sentence: Sentence | None = None) -> Words:
    """A text cut at its spaces, or where it has none at the words of its sentence."""
    spans: Iterable[tuple[int, int]]
    if writes_spaces(language) or sentence is None:
        spans = (match.span() for match in _CHUNK.finditer(text))
    else:
        spans = token_spans(sentence)
    pieces, last = [], 0
    for start, end in spans:
        while start < end and _is_sign(text[start]):
            start += 1
        while start < end and _is_sign(text[end - 1]):
            end -= 1
        if start < end:
            pieces += [text[last:start], text[start:end]]
            last = end
    return Words((*pieces, text[last:]), language)


def token_spans(sentence: Sentence) -> list[tuple[int, int]]:
    """Where each token of a sentence stands in its text."""
    spans, at = [], 0
    for word, space in zip(sentence.words, sentence.spaces, strict=True):
        spans.append((at, at + len(word)))
        at += len(word) + space
    return spans


def _is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PSZ"
