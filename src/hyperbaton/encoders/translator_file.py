"""CTranslate2's `model.bin`: its arrays, and the encoder of a translator as a model of its own.

The file is a version, the name of a specification and its revision, variables (name, shape, kind of
number, bytes) and other names of variables.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.content import read_object
from hyperbaton.base.errors import HyperbatonError

VOCABULARY = "shared_vocabulary.json"
_VERSION, _TRANSLATOR, _ENCODER, _REVISION = 6, "TransformerSpec", "TransformerEncoderSpec", 1
_KINDS = ("<f4", "<i1", "<i2", "<i4", "<f2")
_PART = "encoder/"
Variables = dict[str, NDArray[np.generic]]


def write_encoder(folder: Path, new: Path) -> None:
    """Write what `ctranslate2.Encoder` loads into a new folder.

    The encoder's variables are kept as they are; those that it shares with the decoder get the
    encoder's names.
    """
    variables, names = read_variables(folder / "model.bin")
    kept = {name: array for name, array in variables.items() if name.startswith(_PART)}
    for name, other in names.items():
        if name.startswith(_PART):
            # A weight in 8 bits has its scale beside it.
            for end in ("", "_scale"):
                if other + end in variables:
                    kept[name + end] = variables[other + end]
    parts = [struct.pack("<I", _VERSION), _text(_ENCODER), struct.pack("<2I", _REVISION, len(kept))]
    parts += [part for name in sorted(kept) for part in (_text(name), _packed(kept[name]))]
    (new / "model.bin").write_bytes(b"".join([*parts, struct.pack("<I", 0)]))
    known = read_object(folder / "config.json") if (folder / "config.json").is_file() else {}
    wanted = ("bos_token", "eos_token", "unk_token", "layer_norm_epsilon", "multi_query_attention")
    config = {name: known[name] for name in wanted if name in known}
    (new / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (new / "vocabulary.json").write_bytes((folder / VOCABULARY).read_bytes())


def read_variables(path: Path) -> tuple[Variables, dict[str, str]]:
    """The arrays of a translation model by name, and the other names of some."""
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
        if version != _VERSION or text() != _TRANSLATOR:
            raise ValueError("another version or specification")
        _revision, count = numbers("2I")
        variables: Variables = {}
        for _ in range(count):
            name = text()
            (rank,) = numbers("B")
            *shape, kind, size = numbers(f"{rank}IBI")
            variables[name] = np.frombuffer(data[at : at + size], _KINDS[kind]).reshape(shape)
            at += size
        (count,) = numbers("I")
        return variables, {text(): text() for _ in range(count)}
    except (struct.error, ValueError, IndexError, UnicodeDecodeError):
        raise HyperbatonError(
            f"{path} is not a translation model of CTranslate2, or is damaged"
        ) from None


def _packed(array: NDArray[np.generic]) -> bytes:
    kind = _KINDS.index(array.dtype.newbyteorder("<").str.replace("|", "<"))
    return (
        struct.pack(f"<B{array.ndim}IBI", array.ndim, *array.shape, kind, array.nbytes)
        + array.tobytes()
    )


def _text(name: str) -> bytes:
    data = name.encode() + b"\0"
    return struct.pack("<H", len(data)) + data
