"""The encoder of a CTranslate2 translation model as a model of its own.

A `model.bin` is a version, the name of a specification and its revision, variables (name, shape,
kind, bytes) and other names of variables. The encoder's variables are kept as they are; those that
it shares with the decoder get the encoder's names.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError

__all__ = ["VOCABULARY", "write_encoder"]

VOCABULARY = "shared_vocabulary.json"
_VERSION, _TRANSLATOR, _ENCODER, _REVISION = 6, "TransformerSpec", "TransformerEncoderSpec", 1
_PART = "encoder/"


def write_encoder(folder: Path, new: Path) -> None:
    """Write what `ctranslate2.Encoder` loads into a new folder."""
    path = folder / "model.bin"
    try:
        variables, names = _read(path.read_bytes())
    except (struct.error, UnicodeDecodeError):
        raise HyperbatonError(f"{path} is not a translation model of CTranslate2") from None
    kept = {name: data for name, data in variables.items() if name.startswith(_PART)}
    for name, other in names.items():
        if name.startswith(_PART):
            # A weight in 8 bits has its scale beside it.
            for end in ("", "_scale"):
                if other + end in variables:
                    kept[name + end] = variables[other + end]
    parts = [struct.pack("<I", _VERSION), _text(_ENCODER), struct.pack("<I", _REVISION)]
    parts += [struct.pack("<I", len(kept))]
    parts += [part for name in sorted(kept) for part in (_text(name), kept[name])]
    (new / "model.bin").write_bytes(b"".join([*parts, struct.pack("<I", 0)]))
    settings = read_json(folder / "config.json") if (folder / "config.json").is_file() else {}
    known = settings if isinstance(settings, dict) else {}
    wanted = ("bos_token", "eos_token", "unk_token", "layer_norm_epsilon", "multi_query_attention")
    config = {name: known[name] for name in wanted if name in known}
    (new / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (new / "vocabulary.json").write_bytes((folder / VOCABULARY).read_bytes())


def _read(data: bytes) -> tuple[dict[str, bytes], dict[str, str]]:
    """The variables (shape, kind and numbers as they are), and the other names of some."""
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

    (found,) = numbers("I")
    kind = text()
    if found != _VERSION or kind != _TRANSLATOR:
        raise struct.error(kind)
    _revision, count = numbers("2I")
    variables = {}
    for _ in range(count):
        name, start = text(), at
        (rank,) = numbers("B")
        *_shape, _kind, size = numbers(f"{rank}IBI")
        at += size
        variables[name] = data[start:at]
    (count,) = numbers("I")
    return variables, {text(): text() for _ in range(count)}


def _text(name: str) -> bytes:
    data = name.encode() + b"\0"
    return struct.pack("<H", len(data)) + data
