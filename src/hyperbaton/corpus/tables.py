"""Tables: TSV as the field writes it (no quoting), JSON Lines, and Parquet."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hyperbaton.base.content import parse_json
from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import STANDARD_INPUT, read_lines, shown
from hyperbaton.language.languages import base, text_in

_WMT = {"source": "src_text", "id": "doc_id"}
"""What WMT calls the columns in its JSON Lines since 2025."""
_NAMED = 50
"""How many columns of a table a message names."""


@dataclass(frozen=True)
class Columns:
    """The columns that hold source, reference and id: header names, or numbers from 1.

    None means the usual: columns named `source`, `reference` and `id` where there are such, or as
    WMT names them since 2025 (`src_text`, `doc_id`),
    and in a TSV file without such a header the first column and, where there is one, the second.
    """

    source: str | int | None = None
    reference: str | int | None = None
    id: str | int | None = None

    @property
    def named(self) -> bool:
        """Whether a column is given by name, so that a TSV file must have a header."""
        return any(isinstance(c, str) for c in (self.source, self.reference, self.id))

    @property
    def numbered(self) -> bool:
        """Whether a column is given by number."""
        return any(isinstance(c, int) for c in (self.source, self.reference, self.id))

    def among(self, names: Sequence[str], where: str) -> Columns:
        """These columns by the names that a table has; `where` is for messages."""
        source = _name(self.source, names, "source", where)
        reference = _name(self.reference, names, "reference", where)
        return Columns(source, reference, _name(self.id, names, "id", where))

    def item(self, row: Mapping[str, str], number: int, place: str) -> Item:
        """The item in a row, which is numbered where it has no id; these columns have names."""
        own = (self.source, self.reference, self.id)
        return Item(
            id=row[str(self.id)] if self.id else str(number),
            source=row[str(self.source)],
            reference=row[str(self.reference)] if self.reference else None,
            columns={name: value for name, value in row.items() if name not in own},
            place=place,
        )


DEFAULT = Columns()


def _name(wanted: str | int | None, names: Sequence[str], usual: str, where: str) -> str | None:
    if isinstance(wanted, int):
        if not 1 <= wanted <= len(names):
            raise HyperbatonError(
                f"{where}: no column {wanted}, the line has {len(names)} (counted from 1)"
            )
        return names[wanted - 1]
    name = usual if wanted is None else wanted
    if wanted is None and name not in names and _WMT.get(usual) in names:
        return _WMT[usual]
    if name in names:
        return name
    if wanted is None and usual != "source":
        return None
    has = ", ".join(names[:_NAMED]) or "none"
    has += ", …" if len(names) > _NAMED else ""
    raise HyperbatonError(
        f"{where}: no column '{name}' (columns: {has}).{did_you_mean(name, names[:_NAMED])} "
        f"Say which column holds the {usual}"
    )


def read_tsv(
    path: str | Path,
    columns: Columns = DEFAULT,
    languages: Sequence[str | None] = (),
) -> Iterator[Item]:
    """The items of a TSV file; further columns are kept under their header name or number.

    The first line is a header when a column is given by name, or when none is given and the line
    has a column called `source`, or one for each of the languages.
    """
    file = shown(path)
    names: list[str] = []
    for line in read_lines(path):
        cells = line.text.split("\t")
        where = f"{file}, line {line.number}"
        if line.number == 1:
            if columns == DEFAULT:
                columns = _columns_by_language(cells, languages, where)
            if columns.named or (not columns.numbered and "source" in cells):
                names = _header(cells, file)
                columns = columns.among(names, where)
                continue
            if columns == DEFAULT:
                columns = Columns(1, 2 if len(cells) > 1 else None)
        if not names:
            present = [str(i) for i in range(1, len(cells) + 1)]
            row = dict(zip(present, cells, strict=True))
            yield columns.among(present, where).item(row, line.number, where)
        elif len(cells) == len(names):
            yield columns.item(dict(zip(names, cells, strict=True)), line.number - 1, where)
        else:
            raise HyperbatonError(
                f"{where}: {counted(len(cells), 'column')} where the header has {len(names)}"
            )
    if names and line.number == 1:
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
            f"{where} has a column 'id', so it looks like a header, but no column 'source' "
            f"(columns: {', '.join(cells[:_NAMED])}). Name the columns source and reference, or by "
            "the languages of -l"
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
    for number, (where, record) in enumerate(json_objects(path), 1):
        if _is_of(record, languages):
            yield _item_of(record, columns, languages, where, number)


def json_objects(path: str | Path) -> Iterator[tuple[str, dict[str, object]]]:
    """The object in each line of a JSON Lines file, with its place; blank lines are passed over."""
    for line in read_lines(path):
        if not line.text.strip():
            continue
        where = f"{shown(path)}, line {line.number}"
        record = parse_json(line.text, where)
        if not isinstance(record, dict):
            raise HyperbatonError(
                f"{where}: not an object but {_kind(record)}; JSON Lines has one object per line"
            )
        yield where, record


def _is_of(record: Mapping[str, object], languages: Sequence[str | None]) -> bool:
    """Whether a record is not of other languages, where it says so (`src_lang`, `tgt_lang`)."""
    named = zip((record.get(name) for name in ("src_lang", "tgt_lang")), languages, strict=False)
    return all(
        base(said) == base(wanted) for said, wanted in named if wanted and isinstance(said, str)
    )


def read_parquet_rows(
    path: str | Path, columns: Columns = DEFAULT, languages: Sequence[str | None] = ()
) -> Iterator[Item]:
    """The items of a Parquet file, by the same names as in JSON Lines."""
    if columns.numbered:
        raise HyperbatonError(f"{path}: the columns of Parquet have names, not numbers")
    if str(path) == STANDARD_INPUT:
        raise HyperbatonError("Parquet is not read from standard input: save it to a file")
    file = Path(path)
    if not file.is_file():
        raise HyperbatonError(f"{path}: no such file")
    number = 0
    for record in _parquet_records(file):
        number += 1
        yield _item_of(record, columns, languages, f"{path}, row {number}", number)
    if not number:
        raise HyperbatonError(f"{path} holds no rows")


def _parquet_records(file: Path) -> Iterator[dict[str, object]]:
    """The rows as objects, without columns that hold neither text nor numbers nor texts by name."""
    from hyperbaton.base.parquet import UnreadableParquet, parquet_schema, read_parquet, try_parquet

    try:
        # Before this process looks into the file.
        try_parquet(file, ("source", "reference", "id", "translation"))
        kept = [name for name, kind in parquet_schema(file).items() if _is_readable(kind)]
        if not kept:
            raise HyperbatonError(f"{file} has no column of texts")
        # All at once, in the way that was tried: read by pieces, a damaged file panics otherwise.
        try_parquet(file, kept)
        rows = read_parquet(file, kept)
    except UnreadableParquet as error:
        raise HyperbatonError(
            f"{file} cannot be read as Parquet ({error}): write or fetch the file again"
        ) from None
    yield from rows.iter_rows(named=True)


def _is_readable(kind: object) -> bool:
    import polars as pl

    if isinstance(kind, pl.Struct):
        return all(_is_readable(field.dtype) for field in kind.fields)
    return kind in (pl.String, pl.Boolean, pl.Null) or getattr(kind, "is_numeric", bool)()


def _item_of(
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
    row = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in record.items()
    }
    return columns.among(list(row), where).item(row, number, where)


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


def _kind(value: object) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")
