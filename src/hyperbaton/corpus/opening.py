"""One door to every corpus: the format is told by the name, or by the caller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, cast, get_args

from hyperbaton.base.content import markup_of, refusal
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.aligned import Side, SideKind, read_aligned
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import data_suffix, first_bytes, open_binary, read_lines, shown
from hyperbaton.corpus.named import named_corpus
from hyperbaton.corpus.tables import DEFAULT, Columns, read_jsonl, read_parquet_rows, read_tsv

TESTSET = "sacrebleu:"
"""`sacrebleu:wmt19/en-de` stands where a file could."""
Format = Literal["text", "tsv", "jsonl", "parquet", "conllu", "m2", "tmx", "xliff", "sgm", "wmt"]
FORMATS: tuple[Format, ...] = get_args(Format)

_SUFFIXES: dict[str, Format] = {
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".conllu": "conllu",
    ".conll": "conllu",
    ".m2": "m2",
    ".parquet": "parquet",
    ".tmx": "tmx",
    ".xlf": "xliff",
    ".xliff": "xliff",
    ".sdlxliff": "xliff",
    ".mqxliff": "xliff",
    ".mxliff": "xliff",
    ".sgm": "sgm",
    ".sgml": "sgm",
}
_MULTILINGUAL = ("tmx", "xliff", "wmt")
"""Formats in which a text is there in several languages."""
_ALONE = {
    "tsv": "a table",
    "jsonl": "a table",
    "parquet": "a table",
    "m2": "an M2 file",
    "tmx": "a TMX file",
    "xliff": "an XLIFF file",
    "wmt": "an XML file of WMT",
}
"""Formats that hold source and reference themselves."""
_NOT_READ = {
    ".csv": "CSV is not read; save it as TSV or JSON Lines",
    ".json": "JSON is read as JSON Lines (.jsonl), one object per line",
    ".xlsx": "a spreadsheet is not read; save it as TSV",
}


def format_of(path: str | Path) -> Format:
    """The format that a file's name tells, or the markup that it begins with; else text.

    >>> format_of("dev.conllu.xz"), format_of("newstest.de"), format_of("-")
    ('conllu', 'text', 'text')
    """
    suffix = data_suffix(path)
    if suffix in _NOT_READ:
        raise HyperbatonError(f"{path}: {_NOT_READ[suffix]}, or name the format")
    return _SUFFIXES.get(suffix) or markup_format(path) or "text"


def markup_format(path: str | Path) -> Format | None:
    """The markup that a file is in, by its name or its first bytes; of a pipe nothing is read."""
    suffix = data_suffix(path)
    if _SUFFIXES.get(suffix) in (*_MULTILINGUAL, "sgm"):
        return _SUFFIXES[suffix]
    try:
        if not Path(path).is_file():
            return None
    except (OSError, ValueError):  # no file name, which opening it says
        return None
    with open_binary(path) as file:
        form = markup_of(first_bytes(file, path))
    if form is None and suffix in (".xml", ".html", ".htm", ".xhtml"):
        form = "xml"
    if form in ("html", "xml"):
        raise HyperbatonError(refusal(form, shown(path), stream=False))
    return cast(Format | None, form)


def read_texts(path: str | Path, language: str | None = None) -> Iterator[str]:
    """The texts of a file: its lines, or what a file with markup has in one language."""
    kind = markup_format(path)
    if kind is None:
        return (line.text for line in read_lines(path))
    if kind in _MULTILINGUAL and not language:
        raise HyperbatonError(
            f"{shown(path)} has texts in several languages: name one with -l, or write those of "
            "one out first with hyperbaton translate --system copy"
        )
    return (item.source_text for item in open_corpus(path, format=kind, languages=[language]))


def open_corpus(
    *paths: str | Path,
    format: Format | None = None,  # noqa: A002 - the word for it
    languages: Sequence[str | None] = (),
    columns: Columns = DEFAULT,
) -> Iterator[Item]:
    """The items of a corpus, read as they are asked for.

    `paths` are one table (TSV, JSON Lines, Parquet, M2, TMX, XLIFF, WMT's XML), one or more
    line-aligned files (text, SGM or CoNLL-U: source, reference, further references), `-` for
    standard input, a test set of sacreBLEU (`sacrebleu:wmt19/en-de`), or a suite of a folder in
    WMT's layout (`wmt:FOLDER(suite=rocs-mt)`). `languages` are those of
    the files, in the same order.
    """
    if not paths:
        raise HyperbatonError("no file was given; write - to read standard input")
    first = paths[0]
    if str(first).startswith(TESTSET):
        from hyperbaton.corpus.named import read_testset

        _alone(paths, "a test set")
        return read_testset(str(first).removeprefix(TESTSET))
    if (named := named_corpus(str(first))) is not None:
        _alone(paths, f"'{first}'")
        source, target = (*languages, None, None)[:2]
        if not source or not target:
            raise HyperbatonError(f"{first} is in several languages: name a pair, e.g. -l en-es")
        return named.items(source, target)
    formats = [format or format_of(path) for path in paths]
    for kind in formats:
        if kind in _ALONE:
            _alone(paths, _ALONE[kind])
    match formats[0]:
        case "tsv":
            return read_tsv(first, columns, languages)
        case "jsonl":
            return read_jsonl(first, columns, languages)
        case "parquet":
            return read_parquet_rows(first, columns, languages)
        case "m2":
            from hyperbaton.corpus.m2 import read_m2_items

            return read_m2_items(first)
        case "tmx" | "xliff" | "wmt" as form:
            from hyperbaton.corpus.multilingual import read_multilingual

            return read_multilingual(first, form, languages)
    known = [*languages, *[None] * len(paths)]
    return read_aligned(
        [
            Side(path, "raw" if format == "text" else cast(SideKind, kind), language)
            for path, kind, language in zip(paths, formats, known, strict=False)
        ]
    )


def _alone(paths: Sequence[str | Path], what: str) -> None:
    if len(paths) > 1:
        given = " and ".join(shown(path) for path in paths)
        raise HyperbatonError(f"{what} holds source and reference itself; give it alone: {given}")
