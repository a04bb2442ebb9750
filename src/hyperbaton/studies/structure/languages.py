"""The script and the family of a language, from the table that ships (`data/languages`)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from hyperbaton.base.files import DATA

__all__ = ["CHINESE", "LATIN", "Group", "group_of", "two_letters"]

TABLE = DATA / "languages" / "languages.tsv"
CHINESE, LATIN = "Chinese", "Latin"
_SCRIPTS = {
    "Arab": "Arabic",
    "Beng": "Bengali",
    "Cyrl": "Cyrillic",
    "Deva": "Devanagari",
    "Ethi": "Ethiopic",
    "Hans": CHINESE,
    "Hant": CHINESE,
    "Hebr": "Hebrew",
    "Latn": LATIN,
    "Mymr": "Myanmar",
    "Tfng": "Tifinagh",
    "Tibt": "Tibetan",
}
"""English names of scripts that several languages have; others go by their ISO code."""


class Group(NamedTuple):
    """What a language is grouped by; empty where it is not known."""

    script: str
    family: str


def group_of(code: str) -> Group:
    """The groups of a language as any data set writes it.

    >>> group_of("deu"), group_of("kas_Deva"), group_of("zh")
    (Group(script='Latin', family='Germanic'), Group(script='Devanagari', family='Indo-Iranian'), \
Group(script='Chinese', family='Sino-Tibetan'))
    """
    name, _, script = code.replace("-", "_").partition("_")
    known = _table().get(name.lower(), ("", ""))
    script = script.title() if len(script) == 4 else known[0]
    return Group(_SCRIPTS.get(script, script), known[1])


def two_letters(code: str) -> str:
    """The code that translators know a language by; the code itself, where there is no shorter.

    >>> two_letters("deu"), two_letters("rus_Cyrl"), two_letters("cmn"), two_letters("ceb")
    ('de', 'ru', 'zh', 'ceb')
    """
    name = code.replace("-", "_").partition("_")[0].lower()
    return "zh" if name == "cmn" else _short().get(name, name)


@cache
def _short() -> dict[str, str]:
    return {code: two for code, two, *_ in _cells() if two}


@cache
def _table() -> dict[str, tuple[str, str]]:
    """Script and family by three-letter and by two-letter code."""
    short = {two: (script, family) for _, two, script, family in _cells() if two}
    return short | {code: (script, family) for code, _, script, family in _cells()}


@cache
def _cells() -> list[list[str]]:
    return [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
