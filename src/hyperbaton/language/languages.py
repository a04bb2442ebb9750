"""What the code must know of a language: its name, and whether it writes spaces and cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.given import told

PAPER_LANGUAGES = ("en", "de", "fr", "es", "it", "ru", "ja", "zh")
"""The languages of the wordorder paper, English first."""

NAMES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "ru": "Russian",
    "ja": "Japanese",
    "zh": "Chinese",
    "ko": "Korean",
    "pt": "Portuguese",
    "nl": "Dutch",
    "pl": "Polish",
    "cs": "Czech",
    "sv": "Swedish",
    "da": "Danish",
    "fi": "Finnish",
    "tr": "Turkish",
    "ar": "Arabic",
    "he": "Hebrew",
    "hi": "Hindi",
    "uk": "Ukrainian",
    "el": "Greek",
    "ro": "Romanian",
    "hu": "Hungarian",
    "vi": "Vietnamese",
    "th": "Thai",
    "id": "Indonesian",
    "ca": "Catalan",
}

_WITHOUT_SPACES = frozenset({"ja", "zh", "th", "lo", "km", "my", "yue", "wuu", "lzh", "bo", "dz"})
_WITHOUT_CASE = _WITHOUT_SPACES | frozenset(
    {"ko", "ar", "he", "hi", "fa", "ur", "bn", "ta", "te", "ml", "kn", "mr", "gu", "pa", "si"}
    | {"ne", "am", "ti", "ka", "yi", "ug", "sd", "ps"}
)

# Codes name folders: nothing that could lead elsewhere, and nothing too long for a file name.
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_@+-]{0,39}")


@lru_cache(maxsize=1024)
def base(language: str) -> str:
    """The language without script or region.

    >>> base("zh-Hans"), base("pt_BR")
    ('zh', 'pt')
    """
    return language.replace("_", "-").split("-")[0].lower()


def name(language: str) -> str:
    """The English name, or the code itself where it is not known."""
    return NAMES.get(base(language), language)


@lru_cache(maxsize=1024)
def writes_spaces(language: str) -> bool:
    """Whether words are written with spaces between them.

    >>> writes_spaces("de"), writes_spaces("ja"), writes_spaces("zh-Hant")
    (True, False, False)
    """
    return base(language) not in _WITHOUT_SPACES


def has_case(language: str) -> bool:
    """Whether the script has capital and small letters.

    >>> has_case("ru"), has_case("ja")
    (True, False)
    """
    return base(language) not in _WITHOUT_CASE


def checked_language(code: str) -> str:
    """The code itself, or an error where it cannot be one.

    >>> checked_language("zh-Hans")
    'zh-Hans'
    """
    if not isinstance(code, str):
        raise HyperbatonError(f"a language is a code such as 'en', not {told(code)}")
    if not _CODE.fullmatch(code):
        raise HyperbatonError(
            f"{told(code)} is not a language code: write it in letters and digits, as en or zh-Hans"
        )
    return code


def listed(text: str | None) -> list[str]:
    """The languages, or pairs of them, in a list with commas; none of no text.

    >>> listed("en-de, de-en"), listed(None)
    (['en-de', 'de-en'], [])
    """
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def parse_pair(text: str) -> tuple[str, str]:
    """A language pair as the command line writes it.

    >>> parse_pair("en-de")
    ('en', 'de')
    """
    if not isinstance(text, str):
        raise HyperbatonError(f"languages are a pair such as 'en-de', not {told(text)}")
    source, dash, target = text.partition("-")
    if not (dash and source and target):
        raise HyperbatonError(
            f"{told(text)} is not a language pair: write it as source-target, en-de"
        )
    return checked_language(source), checked_language(target)


def text_in(language: str, texts: Mapping[str, str], where: str) -> str | None:
    """The text in a language: `en` finds `en-US`, and `en-US` finds `en`, where there is one such.

    >>> texts = {"en-US": "fine", "PT-br": "bem"}
    >>> text_in("pt", texts, "a.tmx"), text_in("en-GB", texts, "a.tmx")
    ('bem', None)
    """
    key = _key(language)
    keys = {_key(name): name for name in texts}
    if key in keys:
        return texts[keys[key]]
    short = base(language)
    if key != short:
        return texts[keys[short]] if short in keys else None
    near = [name for name in texts if base(name) == short]
    if len(near) > 1:
        raise HyperbatonError(
            f"{where} has text in {' and '.join(map(printable, near[:3]))}: name one of them "
            f"with -l instead of {language}"
        )
    return texts[near[0]] if near else None


def _key(language: str) -> str:
    return language.replace("_", "-").lower()
