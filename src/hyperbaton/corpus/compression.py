"""Opening a file or standard input for reading, whatever it is compressed with."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.extras import need

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["DAMAGED", "STANDARD_INPUT", "open_binary", "shown"]

STANDARD_INPUT = "-"
DAMAGED = (EOFError, OSError, zlib.error, lzma.LZMAError)
"""What reading raises when a compressed file is cut short or spoilt."""

_CHUNK = 1 << 10
"""Bytes unpacked at once: a few of them may hold 128 KiB of zeros each."""


def shown(path: str | Path) -> str:
    """A file as messages name it."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


@contextmanager
def open_binary(path: str | Path) -> Iterator[BinaryIO]:
    """The bytes of a file (`-` for standard input), unpacked when its first bytes say so."""
    if str(path) == STANDARD_INPUT:
        yield _unpacked(cast(io.BufferedReader, sys.stdin.buffer))
        return
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
