"""Sound but unusual sentences beside the usual ones of the same words: what not to repair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import read_lines
from hyperbaton.language.languages import base

__all__ = ["FILE", "directions", "repairs"]

FILE = DATA / "repairs" / "repairs.tsv"
_COLUMNS = ("id", "kind", "language", "role", "sentence", "usual")
_ROLES = ("both", "source", "reference")
"""Whether a sentence may be translated, judge a translation as its reference, or both."""


@dataclass(frozen=True)
class _Row:
    id: str
    kind: str
    language: str
    role: str
    sentence: str
    usual: str
    place: str = ""


def repairs(source: str, target: str, path: Path = FILE) -> tuple[Item, ...]:
    """Pairs of sentences: `source` is the usual one, column `varied` the unusual one.

    The reference is the usual one's translation, and column `varied_reference` that of the unusual
    one as it stands; column `kind` says what is unusual.
    """
    items = tuple(_items(base(source), base(target), path))
    if not items:
        offered = ", ".join("-".join(pair) for pair in directions(path))
        raise HyperbatonError(
            f"{path.name} has no sentences for {source}-{target}: it has {offered}"
        )
    return items


def _items(source: str, target: str, path: Path) -> Iterator[Item]:
    references = {
        row.id: row for row in _rows(path) if row.language == target and row.role != "source"
    }
    for row in _rows(path):
        reference = references.get(row.id)
        if row.language == source != target and row.role != "reference" and reference is not None:
            columns = {
                "kind": row.kind,
                "varied": row.sentence,
                "varied_reference": reference.sentence,
            }
            yield Item(row.id, row.usual, reference.usual, columns, row.place)


def directions(path: Path = FILE) -> tuple[tuple[str, str], ...]:
    """The directions to and from English that a file has sentences for.

    >>> directions()[:3]
    (('en', 'de'), ('en', 'fr'), ('en', 'es'))
    """
    others = dict.fromkeys(row.language for row in _rows(path) if row.language != "en")
    pairs = [("en", other) for other in others] + [(other, "en") for other in others]
    return tuple(pair for pair in pairs if any(_items(*pair, path)))


@cache
def _rows(path: Path) -> tuple[_Row, ...]:
    rows = []
    for line in read_lines(path):
        cells = line.text.split("\t")
        if line.number == 1 and tuple(cells) == _COLUMNS:
            continue
        if len(cells) != len(_COLUMNS) or cells[3] not in _ROLES:
            raise HyperbatonError(
                f"{path}, line {line.number}: write {', '.join(_COLUMNS)}, separated by tabs; "
                f"role is one of {', '.join(_ROLES)}"
            )
        rows.append(replace(_Row(*cells), place=f"{path}, line {line.number}"))
    return tuple(rows)
