"""A part: a Parquet file, written whole or not at all, that knows its configuration and checksum.

Both stand in the file's own key-value metadata. The checksum is that of the whole file with
zeros in the place of the checksum, so that a single changed byte is found.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path

import polars as pl

from hyperbaton.errors import HyperbatonError
from hyperbaton.files import write_bytes

__all__ = ["DamagedPart", "Stamp", "read_part", "read_stamp", "sound", "write_part"]

_log = logging.getLogger(__name__)

_END = b"PAR1"
_KEY = b"hyperbaton"
_ZEROS = b"0" * 32
_CHECKSUM = b'{"checksum": "'


@dataclass(frozen=True)
class Stamp:
    """What a part says of itself."""

    configuration: str
    """The fingerprint of all that decides its content."""
    failed: int = 0
    """Rows that a system has no answer for."""


class DamagedPart(HyperbatonError):
    """A part that was truncated or changed since it was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is damaged: run the command of this run again, which makes the part anew"
        )
        self.path = path

    def __reduce__(self) -> tuple[type[DamagedPart], tuple[Path]]:
        return DamagedPart, (self.path,)


def write_part(path: Path, frame: pl.DataFrame, stamp: Stamp) -> None:
    """Write a part; the same rows always make the same bytes."""
    buffer = BytesIO()
    frame.write_parquet(
        buffer,
        compression="zstd",
        compression_level=3,
        row_group_size=max(1, frame.height),
        statistics=True,
        metadata={_KEY.decode(): json.dumps({"checksum": _ZEROS.decode(), **asdict(stamp)})},
    )
    data = bytearray(buffer.getbuffer())
    start = data.rindex(_CHECKSUM) + len(_CHECKSUM)
    data[start : start + len(_ZEROS)] = _digest(data, start).encode()
    write_bytes(path, bytes(data))


def read_part(
    path: Path, columns: Sequence[str] | None = None, configuration: str | None = None
) -> pl.DataFrame:
    """A part, or those of the columns that it has, checked."""
    data, stamp = _checked(path)
    if configuration is not None:
        _compare(path, stamp, configuration)
    if columns is not None:
        there = pl.read_parquet_schema(BytesIO(data))
        columns = [column for column in columns if column in there]
    return pl.read_parquet(BytesIO(data), columns=columns)


def read_stamp(path: Path) -> Stamp:
    """What a part says of itself, without reading the rest of it."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little") + 8
        file.seek(max(0, size - length))
        return _stamp(path, file.read())[1]


def sound(path: Path, configuration: str, outdated: bool = False) -> Stamp | None:
    """The stamp of a part; None where it is missing or damaged, so that it must be made.

    A part of another configuration is refused: it is not this run's to overwrite; unless it may be
    `outdated`, as what is made of all metrics is when one is added.
    """
    if not path.exists():
        return None
    try:
        _, stamp = _checked(path)
    except DamagedPart:
        _log.warning("hyperbaton: %s is damaged: it is made again", path)
        return None
    if outdated and stamp.configuration != configuration:
        return None
    _compare(path, stamp, configuration)
    return stamp


def _compare(path: Path, stamp: Stamp, configuration: str) -> None:
    if stamp.configuration != configuration:
        raise HyperbatonError(
            f"{path} is a part of another configuration than run.json says: "
            "choose another folder with --out, or delete this one"
        )


def _checked(path: Path) -> tuple[bytes, Stamp]:
    """A whole file and its stamp."""
    data = path.read_bytes()
    checksum, stamp = _stamp(path, data)
    if _digest(data, data.rindex(_CHECKSUM) + len(_CHECKSUM)) != checksum:
        raise DamagedPart(path)
    return data, stamp


def _stamp(path: Path, data: bytes) -> tuple[str, Stamp]:
    """The checksum and stamp in a file, or in the end of one."""
    start = data.rfind(_CHECKSUM)
    if not data.endswith(_END) or (start < 0 and _KEY in data):
        raise DamagedPart(path)
    if start < 0:
        raise HyperbatonError(
            f"{path} was not written by this version of hyperbaton: "
            "choose another folder with --out"
        )
    try:
        content, _ = json.JSONDecoder().raw_decode(data[start:].decode("utf-8", "replace"))
        return content.pop("checksum"), Stamp(**content)
    except (ValueError, TypeError):
        raise DamagedPart(path) from None


def _digest(data: bytes | bytearray, start: int) -> str:
    """The checksum of a file whose checksum begins at a place."""
    view = memoryview(data)
    digest = blake2b(view[:start], digest_size=len(_ZEROS) // 2)
    digest.update(_ZEROS)
    digest.update(view[start + len(_ZEROS) :])
    return digest.hexdigest()
