"""One door to every corpus: the format is told by the name, or by the caller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

from hyperbaton.corpus.aligned import Side, read_aligned
from hyperbaton.corpus.columns import Columns
from hyperbaton.corpus.compression import shown
from hyperbaton.corpus.conllu import Group
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import data_suffix
from hyperbaton.corpus.m2 import read_m2_items
from hyperbaton.corpus.tables import DEFAULT, read_jsonl, read_tsv
from hyperbaton.corpus.testsets import PREFIX, read_testset
from hyperbaton.errors import HyperbatonError

__all__ = ["FORMATS", "Format", "format_of", "open_corpus"]

Format = Literal["text", "tsv", "jsonl", "conllu", "m2"]
FORMATS: tuple[Format, ...] = get_args(Format)

_SUFFIXES: dict[str, Format] = {
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".conllu": "conllu",
    ".conll": "conllu",
    ".m2": "m2",
}
_NOT_READ = {
    ".csv": "CSV is not read; save it as TSV or JSON Lines",
    ".json": "JSON is read as JSON Lines (.jsonl), one object per line",
    ".parquet": "Parquet is not read; save it as TSV or JSON Lines",
    ".xlsx": "a spreadsheet is not read; save it as TSV",
}


def format_of(path: str | Path) -> Format:
    """The format that a file's name tells; text, when it tells none.

    >>> format_of("dev.conllu.xz"), format_of("newstest.de"), format_of("-")
    ('conllu', 'text', 'text')
    """
    suffix = data_suffix(path)
    if suffix in _NOT_READ:
        raise HyperbatonError(f"{path}: {_NOT_READ[suffix]}, or name the format")
    return _SUFFIXES.get(suffix, "text")


def open_corpus(
    *paths: str | Path,
    format: Format | None = None,  # noqa: A002 - the word for it
    languages: Sequence[str | None] = (),
    columns: Columns = DEFAULT,
    header: bool | None = None,
    group: Group = "item",
    annotator: int | None = 0,
    download: bool = False,
) -> Iterator[Item]:
    """The items of a corpus, read as they are asked for.

    `paths` are one table (TSV, JSON Lines, M2), one or more line-aligned files (text or CoNLL-U:
    source, reference, further references), `-` for standard input, or a test set of sacreBLEU
    (`sacrebleu:wmt19/en-de`). `languages` are those of the files, in the same order; `annotator`
    is the one to follow in an M2 file, None for an item for each.
    """
    if not paths:
        raise HyperbatonError("no file was given; write - to read standard input")
    if str(paths[0]).startswith(PREFIX):
        _alone(paths, "a test set")
        return read_testset(str(paths[0]), download)
    formats = [format or format_of(path) for path in paths]
    for kind in ("tsv", "jsonl", "m2"):
        if kind in formats:
            _alone(paths, "a table" if kind != "m2" else "an M2 file")
    if formats[0] == "tsv":
        return read_tsv(paths[0], columns, header)
    if formats[0] == "jsonl":
        return read_jsonl(paths[0], columns)
    if formats[0] == "m2":
        return read_m2_items(paths[0], annotator)
    known = [*languages, *[None] * len(paths)]
    return read_aligned(
        [
            Side(path, kind == "conllu", language, group)
            for path, kind, language in zip(paths, formats, known, strict=False)
        ]
    )


def _alone(paths: Sequence[str | Path], what: str) -> None:
    if len(paths) > 1:
        given = " and ".join(shown(path) for path in paths)
        raise HyperbatonError(f"{what} holds source and reference itself; give it alone: {given}")
