"""A model whose decoder knows no pieces of some scripts, which is faster: to score given texts.

At each place a translator weighs all pieces that it could write, and one of many languages those of
all their scripts, though a translation is written in one or two.
"""

from __future__ import annotations

import json
import struct
import unicodedata
from collections.abc import Collection
from io import BytesIO
from pathlib import Path

import numpy as np

_EMBEDDINGS = "decoder/embeddings/weight"
_OF_ENCODER = "encoder/embeddings_0/weight"
_SCALE = "_scale"
_VOCABULARY = "shared_vocabulary.json"
_VERSION = 6
"""Of the format of model.bin."""


def has_script(piece: str, scripts: Collection[str]) -> bool:
    """Whether a letter of a piece is of one of these scripts, named as Unicode names them.

    >>> has_script("▁池", {"CJK"}), has_script("▁pond", {"CJK", "CYRILLIC"})
    (True, False)
    """
    return any(unicodedata.name(letter, "").split(" ")[0] in scripts for letter in piece)


def narrowed(folder: Path, left_out: Collection[str]) -> dict[str, bytes]:
    """The files of a CTranslate2 model with one vocabulary, without scripts in its decoder.

    The encoder reads all pieces as before; what the decoder does not know is unknown to it.
    """
    pieces = json.loads((folder / _VOCABULARY).read_text("utf-8"))
    kept = np.array([at for at, piece in enumerate(pieces) if not has_script(piece, left_out)])
    given, made = BytesIO((folder / "model.bin").read_bytes()), BytesIO()

    def number(form: str) -> int:
        return int(struct.unpack(form, given.read(struct.calcsize(form)))[0])

    def name() -> str:
        return given.read(number("<H"))[:-1].decode()

    def put_name(text: str) -> None:
        made.write(struct.pack("<H", len(text) + 1) + text.encode() + b"\0")

    def put(title: str, shape: list[int], kind: int, values: bytes) -> None:
        put_name(title)
        made.write(struct.pack(f"<B{len(shape)}I", len(shape), *shape))
        made.write(struct.pack("<BI", kind, len(values)) + values)

    version, spec, revision, count = number("<I"), name(), number("<I"), number("<I")
    if version != _VERSION:
        raise ValueError(f"its format is {version}, not {_VERSION}")
    made.write(struct.pack("<I", version))
    put_name(spec)
    made.write(struct.pack("<II", revision, count + 2))
    for _ in range(count):
        title = name()
        shape = [number("<I") for _ in range(number("<B"))]
        kind, values = number("<B"), given.read(number("<I"))
        if shape[:1] == [len(pieces)]:
            if title.startswith(_EMBEDDINGS):
                put(title.replace(_EMBEDDINGS, _OF_ENCODER), shape, kind, values)
            rows = np.frombuffer(values, np.uint8).reshape(len(pieces), -1)
            shape, values = [len(kept), *shape[1:]], rows[kept].tobytes()
        put(title, shape, kind, values)
    aliases = [(name(), name()) for _ in range(number("<I"))]
    aliases = [alias for alias in aliases if alias[0] != _OF_ENCODER]
    made.write(struct.pack("<I", len(aliases)))
    for alias in aliases:
        for text in alias:
            put_name(text)
    return {
        "config.json": (folder / "config.json").read_bytes(),
        "model.bin": made.getvalue(),
        "source_vocabulary.json": json.dumps(pieces).encode(),
        "target_vocabulary.json": json.dumps([pieces[at] for at in kept]).encode(),
    }
