"""`gloss`: a word-for-word dictionary, which by construction never changes the order of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.fingerprint import fingerprint
from hyperbaton.language.dictionary import FOLDER, Lexicon, capitalised, read_lexicon
from hyperbaton.language.languages import PAPER_LANGUAGES, base, has_case, writes_spaces
from hyperbaton.systems.shipped.gloss_marks import join, mark
from hyperbaton.systems.shipped.gloss_words import (
    Token,
    is_spaced_script,
    is_word,
    scripts,
    tokens,
)
from hyperbaton.systems.system import System, Translation, Translator, signature

__all__ = ["Gloss", "GlossTranslator"]

_RULES = 1
"""Raised when the code makes other text of the same dictionary."""


@dataclass(frozen=True)
class Gloss(System):
    """A word-for-word dictionary, English to and from de fr es it ru ja zh; no order changes."""

    name: ClassVar[str] = "gloss"

    def open(self, source: str, target: str) -> Translator:
        """Read the dictionary of this direction."""
        pair = (base(source), base(target))
        path = FOLDER / f"{pair[0]}-{pair[1]}.tsv.xz"
        if not path.is_file():
            raise HyperbatonError(
                f"'{self}' has no dictionary for {source}-{target}: it translates between English "
                f"and {', '.join(PAPER_LANGUAGES[1:])}, in both directions"
            )
        content = fingerprint([path])
        name = signature(str(self), source, target, lexicon=content, rules=_RULES)
        return GlossTranslator(read_lexicon(path), *pair, name)


class GlossTranslator(Translator):
    """An open dictionary: each word is replaced where it stands."""

    batch_free = True
    stored = False
    batch_tokens = 1 << 20

    def __init__(self, lexicon: Lexicon, source: str, target: str, signature: str) -> None:
        self.signature = signature
        self.lexicon = lexicon
        self._source = source
        self._target = target

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        """Gloss each text by itself."""
        return [Translation(self.gloss(text)) for text in texts]

    def gloss(self, text: str) -> str:
        """The text with each word replaced where it stands; what is unknown stays as it is."""
        words = self.words(text)
        pieces = [Token(self.piece(token.text), token.spaced) for token in words]
        if not any(is_word(piece.text) for piece in pieces):
            # All words are of the kind that is left out: better copied than lost.
            pieces = [a if a.text else b for a, b in zip(pieces, words, strict=True)]
        if has_case(self._target):
            first = next((token.text for token in words if is_word(token.text)), "")
            pieces = _begun(pieces, has_case(self._source), first[:1].isupper())
        return join([piece for piece in pieces if piece.text], self._target)

    def words(self, text: str) -> list[Token]:
        """The words and marks of a source text."""
        if writes_spaces(self._source):
            return tokens(text, self._source)
        return [Token(word, run.spaced) for run in scripts(text) for word in self._cut(run.text)]

    def _cut(self, run: str) -> Sequence[str]:
        own = is_word(run) and not is_spaced_script(run[0])
        return self.lexicon.cut(run) if own else (run,)

    def piece(self, text: str) -> str:
        """What stands for one word or mark; an unknown word is taken apart at hyphens or copied."""
        if not is_word(text):
            return mark(text, self._target)
        found = self.lexicon.find(text)
        if found is None and "-" in text[1:-1]:
            return "-".join(self.lexicon.find(part) or part for part in text.split("-"))
        return text if found is None else found


def _begun(pieces: Sequence[Token], cased: bool, capital: bool) -> list[Token]:
    """Capitals where sentences start: as the source starts, or all of them where it has no case."""
    result = []
    start = capital or not cased
    for piece in pieces:
        if is_word(piece.text):
            result.append(Token(capitalised(piece.text), piece.spaced) if start else piece)
            start = False
        else:
            start = start or (not cased and piece.text in (".", "?", "!"))
            result.append(piece)
    return result
