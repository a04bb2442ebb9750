"""`gloss`: a word-for-word dictionary, which by construction never changes the order of words.

A word is a run of letters and digits with inner hyphens. These stand by themselves: a number;
English n't, 's, 'm, 're, 'll, 'd, 've; what French and Italian elide (l', qu', dell'); a pronoun
that French hangs on (-tu, -t-il). All else but white space is marks, mostly a character each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.dictionary import FOLDER, Lexicon, capitalised, read_lexicon
from hyperbaton.language.languages import PAPER_LANGUAGES, base, has_case, writes_spaces
from hyperbaton.language.sentence import is_spaced_script
from hyperbaton.systems.faults import has_words
from hyperbaton.systems.system import System, Translation, Translator, signature

_RULES = 1
"""Raised when the code makes other text of the same dictionary."""

_APOSTROPHES = str.maketrans("’ʼ‘`´", "'''''")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B) if chr(code).isalnum()}
_LETTER = r"[^\W\d_]"
_PLAIN = r"[^\W_]+(?:-[^\W_]+)*"
_ENGLISH = r"'(?:s|m|re|ll|d|ve)\b"
_HUNG = (
    r"-(?:t-)?(?:ils?|elles?|on)\b|-(?:je|tu|nous|vous|ce|moi|toi|les?|la|lui|leur|y|en|là|ci)\b"
)
_WORDS = {
    "en": rf"n't\b|{_ENGLISH}|(?:Mr|Mrs|Ms|Dr|St)\.|o'clock|{_LETTER}+?(?=n't\b)|{_PLAIN}",
    "fr": rf"aujourd'hui|{_LETTER}+'(?={_LETTER})|{_HUNG}|{_LETTER}+(?={_HUNG})|{_PLAIN}",
    "it": rf"po'|{_LETTER}+'(?={_LETTER})|{_PLAIN}",
}
_SPACED_SCRIPT = "0-9A-Za-zÀ-ɏЀ-ӿ"
_SCRIPTS = re.compile(
    rf"[{_SPACED_SCRIPT}]+(?:[.,:'-][{_SPACED_SCRIPT}]+)*|[^\W_{_SPACED_SCRIPT}]+|\.{{2,}}|\S"
)
SUFFIX = re.compile(rf"n't|{_ENGLISH}|{_HUNG}", re.IGNORECASE)
"""A word that is written together with the one before it."""
_STRAIGHT = str.maketrans(
    {"。": ".", "．": ".", "，": ",", "、": ",", "？": "?", "！": "!", "；": ";", "：": ":"}
    | {"（": "(", "）": ")", "～": "-", "〜": "-", "¿": "", "¡": "", "・": "", "·": ""}
    | dict.fromkeys("“”„«»‹›「」『』《》＂", '"')
)
_FULL = {
    language: str.maketrans(
        {".": "。", ",": comma, "?": "？", "!": "！", ";": "；", ":": "：", "(": "（", ")": "）"}
    )
    for language, comma in (("ja", "、"), ("zh", "，"))
}
_QUOTES = {"ja": "「」", "zh": "“”"}
_OPENING = frozenset("([{")
_CLOSING = frozenset(".,!?;:)]}%…")


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
        if not any(has_words(piece.text) for piece in pieces):
            # All words are of the kind that is left out: better copied than lost.
            pieces = [a if a.text else b for a, b in zip(pieces, words, strict=True)]
        if has_case(self._target):
            first = next((token.text for token in words if has_words(token.text)), "")
            pieces = _begun(pieces, has_case(self._source), first[:1].isupper())
        return join([piece for piece in pieces if piece.text], self._target)

    def words(self, text: str) -> list[Token]:
        """The words and marks of a source text."""
        if writes_spaces(self._source):
            return tokens(text, self._source)
        return [Token(word, run.spaced) for run in scripts(text) for word in self._cut(run.text)]

    def _cut(self, run: str) -> Sequence[str]:
        own = has_words(run) and not is_spaced_script(run[0])
        return self.lexicon.cut(run) if own else (run,)

    def piece(self, text: str) -> str:
        """What stands for one word or mark; an unknown word is taken apart at hyphens or copied."""
        if not has_words(text):
            return mark(text, self._target)
        entry = self.lexicon.find(text)
        if entry is None and "-" in text[1:-1]:
            return "-".join(self.lexicon.find(part) or part for part in text.split("-"))
        return text if entry is None else entry


def _begun(pieces: Sequence[Token], cased: bool, capital: bool) -> list[Token]:
    """Capitals where sentences start: as the source starts, or all of them where it has no case."""
    result = []
    start = capital or not cased
    for piece in pieces:
        if has_words(piece.text):
            result.append(Token(capitalised(piece.text), piece.spaced) if start else piece)
            start = False
        else:
            start = start or (not cased and piece.text in (".", "?", "!"))
            result.append(piece)
    return result


@dataclass(frozen=True)
class Token:
    """A word or mark, and whether white space (or the start of the text) stood before it."""

    text: str
    spaced: bool = True


def normal(text: str) -> str:
    """Composed characters, plain apostrophes, Latin letters and digits in half width."""
    return unicodedata.normalize("NFC", text).translate(_APOSTROPHES).translate(_WIDE)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    word = _WORDS.get(language, _PLAIN)
    number = r"\d+(?:[.,:]\d+)*(?![^\W_])"
    initials = rf"(?:{_LETTER}\.){{2,}}"
    return re.compile(rf"{number}|{initials}|{word}|\.{{2,}}|\S", re.IGNORECASE)


def tokens(text: str, language: str) -> list[Token]:
    """The words and marks of a language that writes spaces.

    >>> [token.text for token in tokens("I don't know, Mr. Fox.", "en")]
    ['I', 'do', "n't", 'know', ',', 'Mr.', 'Fox', '.']
    >>> [token.text for token in tokens("Qu’as-tu vu à l’école ?", "fr")]
    ["Qu'", 'as', '-tu', 'vu', 'à', "l'", 'école', '?']
    """
    return _found(_pattern(language), normal(text))


def scripts(text: str) -> list[Token]:
    """The runs of one kind in a text without spaces: its own script, another script, marks.

    >>> [token.text for token in scripts("トムは3.5ｋｍ走った。")]
    ['トムは', '3.5km', '走った', '。']
    """
    return _found(_SCRIPTS, normal(text))


def _found(pattern: re.Pattern[str], text: str) -> list[Token]:
    matches = pattern.finditer(text)
    return [Token(m[0], m.start() == 0 or text[m.start() - 1].isspace()) for m in matches]


def mark(text: str, language: str) -> str:
    """A mark as the target language writes it; a quotation mark comes out straight.

    >>> mark("?", "ja"), mark(",", "zh"), mark("。", "de"), mark("¿", "en"), mark("„", "fr")
    ('？', '，', '.', '', '"')
    """
    plain = text.translate(_STRAIGHT)
    if writes_spaces(language):
        return plain
    return "…" if len(plain) > 1 else plain.translate(_FULL[language])


def join(pieces: Sequence[Token], language: str) -> str:
    """The text that translated words and marks make.

    >>> join([Token(t) for t in ("L'", "eau", ",", "c'", "est", "bon", "!")], "fr")
    "L'eau, c'est bon !"
    >>> join([Token(t) for t in ('"', "我", "爱", "Tom", "Fox", '"', "。")], "zh")
    '“我爱Tom Fox”。'
    """
    quotes = _QUOTES.get(language, '""')
    text = ""
    quoted = False
    tight = True
    for piece in pieces:
        before, after = _spacing(piece, quoted, language)
        shown = quotes[quoted] if piece.text == '"' else piece.text
        quoted ^= piece.text == '"'
        if writes_spaces(language):
            gap = before and not tight
        else:
            gap = is_spaced_script(text[-1:]) and is_spaced_script(shown[0])
        text += " " + shown if gap else shown
        tight = not after
    return text


def _spacing(piece: Token, quoted: bool, language: str) -> tuple[bool, bool]:
    """Whether a space may stand before a piece, and after it."""
    text = piece.text
    if has_words(text):
        elided = language in ("fr", "it") and text.endswith("'") and text != "po'"
        return not SUFFIX.fullmatch(text), not elided
    if text == '"':
        return not quoted, quoted
    if text in _OPENING:
        return True, False
    if text in _CLOSING or set(text) == {"."}:
        return language == "fr" and text in "!?;:", True
    return piece.spaced, piece.spaced
