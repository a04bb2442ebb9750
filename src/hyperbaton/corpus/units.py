"""One text in several languages, and the items that these are in the languages asked for."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.language.languages import text_in

__all__ = ["Unit", "items_in"]

_log = logging.getLogger(__name__)
_NAMED = 20
"""How many languages of a file a message names."""


@dataclass(frozen=True)
class Unit:
    """What a file holds at one place: its texts by language, as the file writes the languages."""

    texts: Mapping[str, str]
    columns: Mapping[str, str] = field(default_factory=dict)


def items_in(languages: Sequence[str | None], units: Iterable[Unit], file: str) -> Iterator[Item]:
    """The units that have text in each of these languages: source and, if asked for, reference.

    Without a language, the first and the second of the file. What is left out is counted aloud.
    """
    wanted = tuple(language for language in languages if language)
    there: dict[str, None] = {}
    found = number = 0
    for number, unit in enumerate(units, 1):
        there.update(dict.fromkeys(unit.texts))
        wanted = wanted or tuple(there)[:2]
        texts = [text_in(language, unit.texts, f"{file}, unit {number}") for language in wanted]
        if all(text and text.strip() for text in texts):
            found += 1
            yield Item(str(number), texts[0] or "", texts[1] if texts[1:] else None, unit.columns)
    if not number:
        raise HyperbatonError(f"{file} holds no text: is the file complete?")
    asked = " and ".join(wanted)
    if not found:
        has = ", ".join(map(printable, list(there)[:_NAMED])) or "none"
        raise HyperbatonError(
            f"{file} has no text in {asked} (it has: {has}): name languages of the file with -l"
        )
    if found < number:
        _tell(
            f"hyperbaton: {file}: left out {number - found:,} of {counted(number, 'unit')} "
            f"without a text in {asked}"
        )


@cache
def _tell(sentence: str) -> None:
    """Say it once, though a corpus is read several times."""
    _log.warning("%s", sentence)
