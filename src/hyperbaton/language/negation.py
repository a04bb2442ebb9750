"""Words that deny, in eight languages: enough to tell that a sentence denies, or that it may."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hyperbaton.language.languages import base

DENYING: Mapping[str, str] = {
    "de": r"nicht|kein\w*|niemals?|niemand\w*",
    "en": r"not|\w+n['’]t|cannot|never|nobody|nothing",
    "es": r"no|nunca|jamás|nadie",
    "fr": r"pas|jamais|rien|aucune?",
    "it": r"non|mai|niente|nessun\w*",
    "nl": r"niet|geen|nooit|niemand",
    "pt": r"não|nunca|ninguém|nenhu\w+",
    "ru": r"не|нет|никогда|никто|ничего",
}
"""Words that surely deny."""
_PERHAPS: Mapping[str, str] = {
    "de": r"nicht|nichts|kein\w*|nie|niemals|niemand\w*|nirgend\w*|nein|weder|ohne",
    "en": r"not|\w+n['’]t|cannot|no|never|nothing|nobody|none|nowhere|neither|nor|without",
    "es": r"no|nunca|jamás|nada|nadie|ning[uú]n\w*|tampoco|ni|sin",
    "fr": r"ne|n['’]|pas|jamais|rien|aucune?|personne|non|ni|sans",
    "it": r"non|mai|niente|nulla|nessun\w*|no|né|senza",
    "nl": r"niet|niets|geen|nooit|niemand|nergens|nee|noch|zonder",
    "pt": r"não|nunca|jamais|nada|ninguém|nenhu\w+|nem|sem",
    "ru": r"не\w*|ни\w*|нет|без",
}
"""These and others that may."""


def surely_denies(text: str, language: str) -> bool:
    """Whether a text has a word that denies; never in a language that is not known here.

    >>> surely_denies("Das ist kein Haus.", "de"), surely_denies("Das ist ohne.", "de")
    (True, False)
    """
    return _has(text, DENYING.get(base(language)))


def may_deny(text: str, language: str) -> bool:
    """Whether a text has a word that may deny.

    >>> may_deny("Das ist ohne Sinn.", "de"), may_deny("Das hat Sinn.", "de")
    (True, False)
    """
    return _has(text, _PERHAPS.get(base(language)))


def _has(text: str, words: str | None) -> bool:
    return words is not None and bool(re.search(rf"\b(?:{words})(?!\w)", text.casefold()))
