"""Tables: TSV as the field writes it (no quoting), and JSON Lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.json_text import parse_json
from hyperbaton.base.wording import counted
from hyperbaton.corpus.columns import NAMED, Columns, Found
from hyperbaton.corpus.compression import shown
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import read_lines
from hyperbaton.language.languages import text_in

__all__ = ["item_of", "read_jsonl", "read_tsv"]

DEFAULT = Columns()


def read_tsv(
    path: str | Path,
    columns: Columns = DEFAULT,
    header: bool | None = None,
    languages: Sequence[str | None] = (),
) -> Iterator[Item]:
    """The items of a TSV file; further columns are kept under their header name or number.

    Unless `header` says so, the first line is a header when a column is given by name, or when
    none is given and the line has a column called `source`, or one for each of the languages.
    """
    file = shown(path)
    names: list[str] | None = None
    found: Found | None = None
    for line in read_lines(path):
        cells = line.text.split("\t")
        if line.number == 1:
            if header is None and columns == DEFAULT:
                columns = _columns_by_language(cells, languages, f"{file}, line 1")
            if header is None:
                header = columns.named or (not columns.numbered and "source" in cells)
            if header:
                names = _header(cells, file)
                found = columns.find(names, f"{file}, line 1")
                continue
            if not (columns.named or columns.numbered):
                columns = replace(columns, source=1, reference=2 if len(cells) > 1 else None)
        where = f"{file}, line {line.number}"
        if names is not None and len(cells) != len(names):
            raise HyperbatonError(
                f"{where}: {counted(len(cells), 'column')} where the header has {len(names)}"
            )
        if names is None or found is None:
            present = [str(i) for i in range(1, len(cells) + 1)]
            row = dict(zip(present, cells, strict=True))
            yield columns.find(present, where).item(row, line.number, where)
        else:
            yield found.item(dict(zip(names, cells, strict=True)), line.number - 1, where)
    if names is not None and line.number == 1:
        raise HyperbatonError(f"{file} has a header and nothing below it")


def _columns_by_language(cells: list[str], languages: Sequence[str | None], where: str) -> Columns:
    """The columns that a first line names by language, as `id`, `en` and `de`."""
    if "source" in cells:
        return DEFAULT
    codes = [code for code in languages if code]
    named = [text_in(code, {cell: cell for cell in cells}, where) for code in codes]
    # A line with one word may be a sentence, and the word a code: "No".
    if named and all(named) and (len(named) > 1 or "id" in cells):
        reference = named[1] if len(named) > 1 else None
        return Columns(named[0], reference, "id" if "id" in cells else None)
    if "id" in cells:
        raise HyperbatonError(
            f"{where} has a column 'id', so it looks like a header, but no column 'source' (there "
            f"are: {', '.join(cells[:NAMED])}). Name the columns source and reference, or by the "
            "languages of -l"
        )
    return DEFAULT


def _header(cells: list[str], file: str) -> list[str]:
    twice, count = Counter(cells).most_common(1)[0]
    if count > 1:
        raise HyperbatonError(
            f"{file}, line 1: two columns are called '{twice}'; "
            "rename one, or give the columns by number"
        )
    return cells


def read_jsonl(
    path: str | Path, columns: Columns = DEFAULT, languages: Sequence[str | None] = ()
) -> Iterator[Item]:
    """The items of a JSON Lines file; values that are not text are kept as JSON.

    A row `{"translation": {"en": …, "de": …}}`, as Hugging Face's datasets have it, gives its texts
    in the languages asked for.
    """
    if columns.numbered:
        raise HyperbatonError(f"{shown(path)}: the columns of JSON Lines have names, not numbers")
    number = 0
    for line in read_lines(path):
        if not line.text.strip():
            continue
        where = f"{shown(path)}, line {line.number}"
        record = parse_json(line.text, where)
        if not isinstance(record, dict):
            raise HyperbatonError(
                f"{where}: not an object but {_kind(record)}; JSON Lines has one object per line"
            )
        number += 1
        yield item_of(record, columns, languages, where, number)


def item_of(
    record: dict[str, object],
    columns: Columns,
    languages: Sequence[str | None],
    where: str,
    number: int,
) -> Item:
    """The item in an object that a file holds."""
    if columns == DEFAULT:
        record = _by_language(record, languages, where)
    source, reference = columns.source or "source", columns.reference or "reference"
    # A reference of null is none; the word "null" would be translated and scored.
    record = {k: v for k, v in record.items() if k != reference or v is not None}
    for name in (source, reference):
        value = record.get(str(name), "")
        if not isinstance(value, str):
            raise HyperbatonError(f"{where}: '{name}' is not text but {_kind(value)}")
    row = {k: v if isinstance(v, str) else _json(v) for k, v in record.items()}
    return columns.find(list(row), where).item(row, number, where)


def _by_language(
    record: dict[str, object], languages: Sequence[str | None], where: str
) -> dict[str, object]:
    """A row with the texts under `translation` as its source and reference, where it has such."""
    texts = record.get("translation")
    if "source" in record or not isinstance(texts, dict):
        return record
    wanted = [language for language in languages if language] or list(texts)[:2]
    there = {str(code): text for code, text in texts.items() if isinstance(text, str)}
    rest = {key: value for key, value in record.items() if key != "translation"}
    for name, language in zip(("source", "reference"), wanted, strict=False):
        text = text_in(language, there, where)
        if text is None:
            raise HyperbatonError(
                f"{where}: 'translation' has no text in {language} (it has: "
                f"{', '.join(there) or 'none'}): name languages of the file with -l"
            )
        rest[name] = text
    return rest


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _kind(value: object) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")
