"""CTranslate2's `model.bin`, read and written.

The file is a version, the name of a specification and its revision, variables (name, shape, kind of
number, bytes) and other names of variables.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError

TRANSLATOR = "TransformerSpec"
VOCABULARY = "shared_vocabulary.json"
"""The file of the pieces beside it, where both sides share them."""
_VERSION = 6
_KINDS = ("<f4", "<i1", "<i2", "<i4", "<f2")
Variables = dict[str, NDArray[np.generic]]


def read_variables(path: Path) -> tuple[Variables, dict[str, str], int]:
    """The arrays of a translation model by name, the other names of some, and its revision."""
    data = path.read_bytes()
    at = 0

    def numbers(layout: str) -> tuple[int, ...]:
        nonlocal at
        found: tuple[int, ...] = struct.unpack_from(f"<{layout}", data, at)
        at += struct.calcsize(f"<{layout}")
        return found

    def text() -> str:
        nonlocal at
        (size,) = numbers("H")
        at += size
        return data[at - size : at].rstrip(b"\0").decode()

    try:
        (version,) = numbers("I")
        if version != _VERSION or text() != TRANSLATOR:
            raise ValueError("another version or specification")
        revision, count = numbers("2I")
        variables: Variables = {}
        for _ in range(count):
            name = text()
            (rank,) = numbers("B")
            *shape, kind, size = numbers(f"{rank}IBI")
            variables[name] = np.frombuffer(data[at : at + size], _KINDS[kind]).reshape(shape)
            at += size
        (count,) = numbers("I")
        return variables, {text(): text() for _ in range(count)}, revision
    except (struct.error, ValueError, IndexError, UnicodeDecodeError):
        raise HyperbatonError(
            f"{path} is not a translation model of CTranslate2, or is damaged"
        ) from None


def model_bytes(
    specification: str, revision: int, variables: Variables, names: Mapping[str, str]
) -> bytes:
    """A model as `model.bin` holds it: its arrays by name, and the other names of some."""
    parts = [struct.pack("<I", _VERSION), _text(specification)]
    parts.append(struct.pack("<2I", revision, len(variables)))
    parts += [part for name, array in variables.items() for part in (_text(name), _packed(array))]
    parts.append(struct.pack("<I", len(names)))
    parts += [_text(name) for both in names.items() for name in both]
    return b"".join(parts)


def _packed(array: NDArray[np.generic]) -> bytes:
    kind = _KINDS.index(array.dtype.newbyteorder("<").str.replace("|", "<"))
    return (
        struct.pack(f"<B{array.ndim}IBI", array.ndim, *array.shape, kind, array.nbytes)
        + array.tobytes()
    )


def _text(name: str) -> bytes:
    data = name.encode() + b"\0"
    return struct.pack("<H", len(data)) + data
