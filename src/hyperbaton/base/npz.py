"""Arrays in `.npz` files that others wrote or that were damaged: no pickle, no absurd size.

NumPy's own reader believes the shape that an array's header names and raises whatever its parts
raise; here a header must fit the bytes that are there.
"""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import memory_free

Numbers = NDArray[np.floating | np.integer | np.bool]
Arrays = dict[str, Numbers]

_RAISED = (
    *(ValueError, OSError, EOFError, KeyError, IndexError, TypeError, AttributeError),
    *(RuntimeError, NotImplementedError, SyntaxError, MemoryError, OverflowError),
    *(zlib.error, zipfile.BadZipFile, tokenize.TokenError),
)
"""What zipfile and the parser of headers raise on files that are damaged."""


class DamagedArrays(HyperbatonError):
    """A file that holds no readable arrays."""


def read_npz(path: Path) -> Arrays:
    """Every array of a file by its name."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check_sizes(entries)
            arrays = {e.filename.removesuffix(".npy"): _array(archive.read(e)) for e in entries}
    except FileNotFoundError:
        raise HyperbatonError(f"there is no file {path}") from None
    except _RAISED as error:
        why = str(error) or type(error).__name__
        raise DamagedArrays(f"{path} is damaged, or no .npz file of arrays: {why}") from None
    if len(arrays) < len(entries):
        raise DamagedArrays(f"{path} is damaged: it holds two arrays of one name")
    return arrays


@contextmanager
def fitting(path: Path) -> Iterator[None]:
    """A first use of a file's arrays: where they do not go together, the file is to blame."""
    try:
        with np.errstate(all="ignore"):
            yield
    except (ValueError, IndexError, KeyError, TypeError, ZeroDivisionError):
        raise DamagedArrays(
            f"{path}: its arrays do not fit together; name a file of weights for this network"
        ) from None


def _check_sizes(entries: list[zipfile.ZipInfo]) -> None:
    size, room = sum(entry.file_size for entry in entries), memory_free()
    if room is not None and size > room:
        raise ValueError(f"its arrays would take {size / 2**30:,.1f} GiB of memory")


def _array(data: bytes) -> Numbers:
    file = io.BytesIO(data)
    version = npy.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"an array is written in version {version}")
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, by_columns, kind = read_header(file)
    if kind.kind not in "biuf":  # no Python objects, which would run code when they are loaded
        raise ValueError(f"an array holds {kind}, not numbers")
    content = memoryview(data)[file.tell() :]
    if min(shape, default=0) < 0 or math.prod(shape) * kind.itemsize != len(content):
        raise ValueError(f"the shape {shape} of an array does not fit its {len(content)} bytes")
    return np.frombuffer(content, kind).reshape(shape, order="F" if by_columns else "C")
