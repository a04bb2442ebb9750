"""Lines of a file, one at a time: plain, compressed or from standard input, always UTF-8."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.markup import ENOUGH, markup_of, refusal
from hyperbaton.corpus.compression import DAMAGED, open_binary, shown

__all__ = ["Line", "data_suffix", "first_bytes", "raw_lines", "read_lines"]

LONGEST_LINE = 1 << 26
"""Bytes; what is longer is not a line of text, and would fill the memory."""

_COMPRESSED = (".gz", ".xz", ".zst", ".bz2")


class Line(NamedTuple):
    """One line without its end, counted from 1."""

    number: int
    text: str


def data_suffix(path: str | Path) -> str:
    """The suffix that tells the format, without that of a compression.

    >>> data_suffix("news.tsv.zst"), data_suffix("de.TXT"), data_suffix("-")
    ('.tsv', '.txt', '')
    """
    name = Path(path)
    if name.suffix.lower() in _COMPRESSED:
        name = name.with_suffix("")
    return name.suffix.lower()


def read_lines(path: str | Path) -> Iterator[Line]:
    """The lines of a file in which a line is a text or a row: XML, HTML and SGM are refused."""
    with open_binary(path) as file:
        form = markup_of(first_bytes(file, path))
        if form is not None:
            raise HyperbatonError(refusal(form, shown(path), not Path(path).is_file()))
        yield from _lines(file, path)


def raw_lines(path: str | Path) -> Iterator[Line]:
    """The lines of a file, at most one in memory; errors name the file and the line.

    Compression (gzip, xz, zstd, bzip2) is recognised by content, so it works on standard input.
    A byte-order mark and the carriage returns of DOS files are dropped.
    """
    with open_binary(path) as file:
        yield from _lines(file, path)


def first_bytes(file: BinaryIO, path: str | Path) -> bytes:
    """The bytes that an opened file begins with, which stay unread."""
    try:
        return cast(io.BufferedReader, file).peek(ENOUGH)
    except DAMAGED as error:
        raise HyperbatonError(
            f"{shown(path)}: cannot read past line 0: {error}; is the file complete?"
        ) from None


def _lines(file: BinaryIO, path: str | Path) -> Iterator[Line]:
    number = 0
    try:
        while raw := file.readline(LONGEST_LINE):
            number += 1
            if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                raise HyperbatonError(
                    f"{shown(path)}: line {number} is longer than {LONGEST_LINE >> 20} MiB; "
                    "give a file with one text per line"
                )
            yield Line(number, _decode(raw, path, number))
    except DAMAGED as error:
        raise HyperbatonError(
            f"{shown(path)}: cannot read past line {number}: {error}; is the file complete?"
        ) from None
    if number == 0:
        raise HyperbatonError(f"{shown(path)} is empty; give a file with one text per line")


def _decode(raw: bytes, path: str | Path, number: int) -> str:
    if number == 1:
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise HyperbatonError(
                f"{shown(path)} is UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8"
            )
        raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        return raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise HyperbatonError(
            f"{shown(path)}: line {number}, byte {error.start + 1}: not UTF-8 "
            f"(0x{raw[error.start]:02x}); convert the file: iconv -f ENCODING -t UTF-8"
        ) from None
