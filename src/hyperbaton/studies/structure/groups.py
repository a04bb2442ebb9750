"""The script and the family of a language, from the table that ships (`data/languages`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["CHINESE", "LATIN", "Group", "group_of"]

TABLE = Path(__file__).parents[2] / "data" / "languages" / "languages.tsv"
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


@cache
def _table() -> dict[str, tuple[str, str]]:
    """Script and family by three-letter and by two-letter code."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()[1:]
    cells = [line.split("\t") for line in lines]
    short = {two: (script, family) for _, two, script, family in cells if two}
    return short | {code: (script, family) for code, _, script, family in cells}
