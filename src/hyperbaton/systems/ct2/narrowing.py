"""A model whose decoder knows no pieces of some scripts, which is faster: to score given texts.

At each place a translator weighs all pieces that it could write, and one of many languages those of
all their scripts, though a translation is written in one or two.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection
from pathlib import Path

import numpy as np

from hyperbaton.base.model_bin import (
    TRANSLATOR,
    VOCABULARY,
    Variables,
    model_bytes,
    read_variables,
)

_EMBEDDINGS = "decoder/embeddings/weight"
_OF_ENCODER = "encoder/embeddings_0/weight"


def narrowed(folder: Path, left_out: Collection[str]) -> dict[str, bytes]:
    """The files of a CTranslate2 model with one vocabulary, without scripts in its decoder.

    Scripts are named as Unicode names them. The encoder reads all pieces as before; what the
    decoder does not know is unknown to it.
    """
    pieces: list[str] = json.loads((folder / VOCABULARY).read_text("utf-8"))
    letters = set().union(*pieces)
    foreign = {one for one in letters if unicodedata.name(one, "").split(" ")[0] in left_out}
    kept = np.array([at for at, piece in enumerate(pieces) if foreign.isdisjoint(piece)])
    variables, names, revision = read_variables(folder / "model.bin")
    made: Variables = {}
    for name, array in variables.items():
        of_pieces = array.shape[:1] == (len(pieces),)
        if of_pieces and name.startswith(_EMBEDDINGS):
            made[name.replace(_EMBEDDINGS, _OF_ENCODER)] = array
        made[name] = array[kept] if of_pieces else array
    names.pop(_OF_ENCODER, None)
    return {
        "config.json": (folder / "config.json").read_bytes(),
        "model.bin": model_bytes(TRANSLATOR, revision, made, names),
        "source_vocabulary.json": json.dumps(pieces).encode(),
        "target_vocabulary.json": json.dumps([pieces[at] for at in kept]).encode(),
    }
