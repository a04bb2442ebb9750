"""Punctuation and spaces of a gloss: the marks of the target language, spaced as it is written."""

from __future__ import annotations

from collections.abc import Sequence

from hyperbaton.language.languages import writes_spaces
from hyperbaton.systems.shipped.gloss_words import SUFFIX, Token, is_spaced_script, is_word

__all__ = ["join", "mark"]

_PLAIN = str.maketrans(
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


def mark(text: str, language: str) -> str:
    """A mark as the target language writes it; a quotation mark comes out straight.

    >>> mark("?", "ja"), mark(",", "zh"), mark("。", "de"), mark("¿", "en"), mark("„", "fr")
    ('？', '，', '.', '', '"')
    """
    plain = text.translate(_PLAIN)
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
    if is_word(text):
        elided = language in ("fr", "it") and text.endswith("'") and text != "po'"
        return not SUFFIX.fullmatch(text), not elided
    if text == '"':
        return not quoted, quoted
    if text in _OPENING:
        return True, False
    if text in _CLOSING or set(text) == {"."}:
        return language == "fr" and text in "!?;:", True
    return piece.spaced, piece.spaced
