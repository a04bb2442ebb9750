"""A part: a Parquet file, written whole or not at all, that knows its configuration and checksum.

Both stand in the file's own key-value metadata. The checksum is that of the whole file with
zeros in the place of the checksum, so that a single changed byte is found. A checksum can be
forged: what no process of this run made is tried before it is read.
"""

from __future__ import annotations

import json
import logging
import math
import multiprocessing
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_bytes
from hyperbaton.base.parquet import UnreadableParquet, parquet_schema, read_parquet, try_parquet
from hyperbaton.base.remote_paths import RemotePath

_log = logging.getLogger(__name__)

_END = b"PAR1"
_KEY = b"hyperbaton"
_ZEROS = b"0" * 32
_CHECKSUM = b'{"checksum": "'
_sound_checksums: set[str] = set()
"""Of parts that this process made or that were tried."""


@dataclass(frozen=True)
class Stamp:
    """What a part says of itself."""

    configuration: str
    """The fingerprint of all that decides its content."""
    failed: int = 0
    """Rows that a system has no answer for."""


class DamagedPart(HyperbatonError):
    """A part that was truncated or changed since it was written."""

    def __init__(self, path: Path, why: str = "") -> None:
        # With a good checksum it would not be made anew as long as it is there.
        remedy = "delete it, and " if why else ""
        super().__init__(
            f"{path} is damaged{why and f' ({why})'}: {remedy}run the command of this run again, "
            "which makes the part again"
        )
        self.path, self.why = path, why

    def __reduce__(self) -> tuple[type[DamagedPart], tuple[Path, str]]:
        return DamagedPart, (self.path, self.why)


def write_part(path: Path, frame: pl.DataFrame, stamp: Stamp) -> None:
    """Write a part; the same rows always make the same bytes."""
    buffer = BytesIO()
    shape = _shape(frame.schema, frame.height)
    content = {"checksum": _ZEROS.decode(), **asdict(stamp), "shape": shape}
    frame.write_parquet(
        buffer,
        compression="zstd",
        compression_level=3,
        row_group_size=max(1, frame.height),
        statistics=True,
        metadata={_KEY.decode(): json.dumps(content)},
    )
    data = bytearray(buffer.getbuffer())
    start = data.rindex(_CHECKSUM) + len(_CHECKSUM)
    checksum = _digest(data, start)
    data[start : start + len(_ZEROS)] = checksum.encode()
    write_bytes(path, bytes(data))
    _sound_checksums.add(checksum)


def read_part(
    path: Path, columns: Sequence[str] | None = None, configuration: str | None = None
) -> pl.DataFrame:
    """A part, or those of the columns that it has, checked."""
    data, label, schema = _opened(path)
    if configuration is not None:
        _compare(path, label.stamp, configuration)
    if columns is not None:
        columns = [column for column in columns if column in schema]
    try:
        frame = read_parquet(data, columns)
    except UnreadableParquet as error:
        raise DamagedPart(path, str(error)) from None
    if label.shape and columns != [] and label.shape != _shape(schema, frame.height):
        raise DamagedPart(path, "its columns are not those that were written")
    return frame


def _shape(schema: Mapping[str, pl.DataType], height: int) -> str:
    """A digest of names, kinds and number of rows; a kind is named in a way that stays."""
    text = json.dumps([height, [[name, _kind(kind)] for name, kind in schema.items()]])
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _kind(kind: pl.DataType) -> str:
    """Text, number, list of text and so on, whatever a version of the library calls it."""
    if isinstance(kind, pl.List | pl.Array):
        return f"list of {_kind(kind.inner)}"  # type: ignore[arg-type]
    if kind.is_integer():
        return "integer"
    return "float" if kind.is_float() else "text" if kind == pl.String else "other"


def _opened(path: Path) -> tuple[bytes, _Label, pl.Schema]:
    """A file that this process can read without harm, and what it says of itself."""
    data, label = _checked(path)
    try:
        if label.checksum not in _sound_checksums:
            if is_foreign(path):
                try_parquet(data)
            _sound_checksums.add(label.checksum)
        return data, label, parquet_schema(data)
    except UnreadableParquet as error:
        raise DamagedPart(path, str(error)) from None


def read_stamp(path: Path) -> Stamp:
    """What a part says of itself, without reading the rest of it."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little") + 8
        file.seek(max(0, size - length))
        return _label(path, file.read()).stamp


def sound(path: Path, configuration: str, outdated: bool = False) -> Stamp | None:
    """The stamp of a part; None where it is missing or damaged, so that it must be made.

    A part of another configuration is refused: it is not this run's to overwrite; unless it may be
    `outdated`, as what is made of all metrics is when one is added.
    """
    if not path.exists():
        return None
    try:
        stamp = _checked(path)[1].stamp
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


class _Label(NamedTuple):
    """All that stands in the metadata of a part."""

    checksum: str
    stamp: Stamp
    shape: str
    """Empty in parts that older versions wrote."""


def _checked(path: Path) -> tuple[bytes, _Label]:
    """A whole file and its label."""
    data = path.read_bytes()
    label = _label(path, data)
    if _digest(data, data.rindex(_CHECKSUM) + len(_CHECKSUM)) != label.checksum:
        raise DamagedPart(path)
    return data, label


def _label(path: Path, data: bytes) -> _Label:
    """The label in a file, or in the end of one."""
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
        checksum, shape = content.pop("checksum"), content.pop("shape", "")
        stamp = Stamp(**content)
    except (ValueError, TypeError, RecursionError):
        raise DamagedPart(path) from None
    texts = all(isinstance(text, str) for text in (checksum, shape, stamp.configuration))
    if not texts or type(stamp.failed) is not int or stamp.failed < 0:
        raise DamagedPart(path)
    return _Label(checksum, stamp, shape)


def _digest(data: bytes | bytearray, start: int) -> str:
    """The checksum of a file whose checksum begins at a place."""
    view = memoryview(data)
    digest = blake2b(view[:start], digest_size=len(_ZEROS) // 2)
    digest.update(_ZEROS)
    digest.update(view[start + len(_ZEROS) :])
    return digest.hexdigest()


_COARSE = 1.0
"""Seconds by which the clock of a file system may be behind."""
_made_since: dict[Path, float] = {}
"""Folders in which this process has parts made, and since when."""
_is_helper = False


def begin_making(folder: Path) -> None:
    """From now on, whatever is new in this folder was made by this process and its helpers."""
    _made_since.setdefault(folder.absolute(), time.time() - _COARSE)


def become_helper() -> None:
    """This process makes parts for another one, which says so when it dies of one."""
    global _is_helper
    _is_helper = True


def is_foreign(path: Path) -> bool:
    """Whether a part may come from elsewhere, and this process must not die of it."""
    if _is_helper or multiprocessing.parent_process() is not None:
        return False
    if isinstance(path, RemotePath):
        return True
    since = (_made_since[f] for f in path.absolute().parents if f in _made_since)
    return path.stat().st_ctime < next(since, math.inf)
