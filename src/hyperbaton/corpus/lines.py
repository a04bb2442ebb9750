"""Lines of a file, one at a time: plain, compressed or from standard input, always UTF-8."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from hyperbaton.base.content import ENOUGH, markup_of, refusal
from hyperbaton.base.errors import HyperbatonError, need

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT = "-"
LONGEST_LINE = 1 << 26
"""Bytes; what is longer is not a line of text, and would fill the memory."""
DAMAGED = (EOFError, OSError, zlib.error, lzma.LZMAError)
"""What reading raises when a compressed file is cut short or spoilt."""

_COMPRESSED = (".gz", ".xz", ".zst", ".bz2")
_CHUNK = 1 << 10
"""Bytes unpacked at once: a few of them may hold 128 KiB of zeros each."""


class Line(NamedTuple):
    """One line without its end, counted from 1."""

    number: int
    text: str


def read_lines(path: str | Path) -> Iterator[Line]:
    """The lines of a file in which a line is a text or a row: XML, HTML and SGM are refused."""
    return chain.from_iterable(_runs(path))


def read_line_blocks(path: str | Path) -> Iterator[list[Line]]:
    """The runs of lines between blank ones, which are left out; markup is refused."""
    return _runs(path, until_blank=True)


def raw_lines(path: str | Path) -> Iterator[Line]:
    """The lines of a file, which may hold markup; at most one is in memory."""
    return chain.from_iterable(_runs(path, markup=True))


def _runs(
    path: str | Path, *, until_blank: bool = False, markup: bool = False
) -> Iterator[list[Line]]:
    """The lines of a file one by one, or those between blank lines together.

    A byte-order mark and the carriage returns of DOS files are dropped.
    """
    number = 0
    run: list[Line] = []
    with open_binary(path) as file:
        if not markup and (form := markup_of(first_bytes(file, path))) is not None:
            raise HyperbatonError(refusal(form, shown(path), not Path(path).is_file()))
        try:
            while raw := file.readline(LONGEST_LINE):
                number += 1
                if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                    raise HyperbatonError(
                        f"{shown(path)}: line {number} is longer than {LONGEST_LINE >> 20} MiB; "
                        "give a file with one text per line"
                    )
                if number == 1:
                    raw = _without_mark(raw, path)
                text = raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
                if not until_blank:
                    yield [Line(number, text)]
                elif text and not text.isspace():
                    run.append(Line(number, text))
                elif run:
                    yield run
                    run = []
        except UnicodeDecodeError as error:
            raise HyperbatonError(
                f"{shown(path)}: line {number}, byte {error.start + 1}: not UTF-8 "
                f"(0x{error.object[error.start]:02x}); convert the file: "
                "iconv -f ENCODING -t UTF-8"
            ) from None
        except DAMAGED as error:
            raise _cut_short(path, number, error) from None
    if number == 0:
        raise HyperbatonError(f"{shown(path)} is empty; give a file with one text per line")
    if run:
        yield run


def _without_mark(start: bytes, path: str | Path) -> bytes:
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise HyperbatonError(
            f"{shown(path)} is UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8"
        )
    return start.removeprefix(b"\xef\xbb\xbf")


def _cut_short(path: str | Path, number: int, error: BaseException) -> HyperbatonError:
    return HyperbatonError(
        f"{shown(path)}: cannot read past line {number}: {error}; is the file complete?"
    )


def shown(path: str | Path) -> str:
    """A file as messages name it."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def data_suffix(path: str | Path) -> str:
    """The suffix that tells the format, without that of a compression.

    >>> data_suffix("news.tsv.zst"), data_suffix("de.TXT"), data_suffix("-")
    ('.tsv', '.txt', '')
    """
    name = Path(path)
    if name.suffix.lower() in _COMPRESSED:
        name = name.with_suffix("")
    return name.suffix.lower()


def first_bytes(file: BinaryIO, path: str | Path) -> bytes:
    """The bytes that an opened file begins with, which stay unread."""
    try:
        return cast(io.BufferedReader, file).peek(ENOUGH)
    except DAMAGED as error:
        raise _cut_short(path, 0, error) from None


@contextmanager
def open_binary(path: str | Path) -> Iterator[BinaryIO]:
    """The bytes of a file (`-` for standard input), unpacked when its first bytes say so."""
    if str(path) == STANDARD_INPUT:
        yield _unpacked(cast(io.BufferedReader, sys.stdin.buffer))
        return
    if not str(path):
        raise HyperbatonError("'' is not a file name")
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below, once it is known to open
    except FileNotFoundError:
        raise HyperbatonError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise HyperbatonError(f"{path} is a directory; give a file in it") from None
    except OSError as error:
        raise HyperbatonError(f"cannot open {str(path)[:200]}: {error.strerror}") from None
    except ValueError:
        raise HyperbatonError(f"{str(path)[:200]!r} is not a file name") from None
    with file:
        yield _unpacked(file)


def _unpacked(file: io.BufferedReader) -> BinaryIO:
    start = file.peek(10)[:10]
    if start.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.GzipFile(fileobj=file))
    if start.startswith(b"\xfd7zXZ\x00"):
        return cast(BinaryIO, lzma.LZMAFile(file))
    if start.startswith(b"BZh") and start[4:] == b"1AY&SY":
        return cast(BinaryIO, bz2.BZ2File(file))
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return io.BufferedReader(_Zstd(file), 1 << 17)
    return file


class _Zstd(io.RawIOBase):
    """A zstd stream of any number of frames; the library's own reader keeps quiet at a cut."""

    def __init__(self, file: io.BufferedReader) -> None:
        zstandard = need("zstandard", extra="zstd")
        self._file = file
        self._spoilt: type[Exception] = zstandard.ZstdError
        self._unpacker = zstandard.ZstdDecompressor(max_window_size=1 << 31)
        self._frame = self._unpacker.decompressobj()
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        while not self._ready:
            packed: bytes = self._frame.unused_data if self._frame.eof else b""
            packed = packed or self._file.read1(_CHUNK)
            if not packed:
                if not self._frame.eof:
                    raise EOFError("the compressed data end too early")
                return 0
            if self._frame.eof:
                self._frame = self._unpacker.decompressobj()
            try:
                self._ready = memoryview(self._frame.decompress(packed))
            except self._spoilt as error:
                raise OSError(f"the compressed data are spoilt ({error})") from None
        view = memoryview(buffer).cast("B")
        size = min(len(view), len(self._ready))
        view[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
