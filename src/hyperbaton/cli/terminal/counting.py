"""How many items each perturbation applies to, on one side or on both sides of a pair."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hyperbaton.base.wording import counted, spreadsheet_text
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.perturbation import Perturbation, perturb

__all__ = ["FORMATS", "Column", "count", "count_pairs", "render", "starved"]


ORDERS = ("PoS", "tree", "random")


@dataclass(frozen=True)
class Column:
    """One language of the table: how many items there were, and N for each perturbation."""

    name: str
    items: int
    counts: Counter[str]
    parsers: tuple[str, ...] = ()
    """Who parsed it, as signatures; the file where it was parsed already."""


def count(sentences: Iterable[Sentence], perturbations: Sequence[Perturbation]) -> Counter[str]:
    """N of each perturbation, and under the empty name the number of items."""
    found: Counter[str] = Counter()
    for sentence in sentences:
        found[""] += 1
        found.update(str(p) for p in perturbations if perturb(sentence, p) is not None)
    return found


def count_pairs(
    pairs: Iterable[tuple[Sentence, Sentence]], perturbations: Sequence[Perturbation]
) -> Counter[str]:
    """Joint N: items whose source and reference can both be perturbed."""
    found: Counter[str] = Counter()
    for source, reference in pairs:
        found[""] += 1
        found.update(
            str(p)
            for p in perturbations
            if perturb(source, p) is not None and perturb(reference, p) is not None
        )
    return found


STARVED = 0.1
"""A word-order perturbation that applies to a smaller share of the items says little of them."""


def starved(columns: Sequence[Column], perturbations: Sequence[Perturbation]) -> Iterator[str]:
    """A warning for each language and each reordering of words that applies to very few items.

    Few are natural for marks or capitals; for words they mostly mean that the parser misses some.
    """
    for column in columns:
        for perturbation in perturbations:
            found = column.counts[str(perturbation)]
            if perturbation.category in ORDERS and found < STARVED * column.items:
                yield (
                    f"{perturbation} applies to only {found} of {counted(column.items, 'item')} in "
                    f"{column.name}: scores of so few say little; check the parser's tags "
                    "(hyperbaton show) or try another parser"
                )


def _rows(columns: Sequence[Column], perturbations: Sequence[Perturbation]) -> list[list[str]]:
    head = ["perturbation", "category", *(column.name for column in columns)]
    total = ["(items)", "", *(str(column.items) for column in columns)]
    body = [
        [str(p), p.category, *(str(column.counts[str(p)]) for column in columns)]
        for p in perturbations
    ]
    return [head, total, *body]


def _notes(columns: Sequence[Column]) -> list[str]:
    """Who parsed what, each parser once."""
    return list(dict.fromkeys(parser for column in columns for parser in column.parsers))


def _text(columns: Sequence[Column], perturbations: Sequence[Perturbation]) -> str:
    rows = _rows(columns, perturbations)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        words = [cell.ljust(w) for cell, w in zip(row[:2], widths[:2], strict=True)]
        numbers = [cell.rjust(w) for cell, w in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join([*words, *numbers]).rstrip())
    return "\n".join([*lines, "", *_notes(columns)])


def _markdown(columns: Sequence[Column], perturbations: Sequence[Perturbation]) -> str:
    head, *body = _rows(columns, perturbations)
    rule = ["---", "---", *["---:"] * len(columns)]
    table = ["| " + " | ".join(row) + " |" for row in (head, rule, *body)]
    return "\n".join([*table, "", *(f"- `{note}`" for note in _notes(columns))])


def _csv(columns: Sequence[Column], perturbations: Sequence[Perturbation]) -> str:
    buffer = io.StringIO()
    rows = [[spreadsheet_text(cell) for cell in row] for row in _rows(columns, perturbations)]
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue().rstrip("\n")


def _json(columns: Sequence[Column], perturbations: Sequence[Perturbation]) -> str:
    table = [
        {
            "name": column.name,
            "items": column.items,
            "parsers": column.parsers,
            "counts": {str(p): column.counts[str(p)] for p in perturbations},
        }
        for column in columns
    ]
    return json.dumps(table, indent=2, ensure_ascii=False)


_WRITERS = {"text": _text, "markdown": _markdown, "csv": _csv, "json": _json}
FORMATS = tuple(_WRITERS)


def render(columns: Sequence[Column], perturbations: Sequence[Perturbation], form: str) -> str:
    """The table in one of the forms."""
    return _WRITERS[form](columns, perturbations)
