"""The Transformer as transformers' Marian: built, begun with another's weights, written out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from transformers import GenerationConfig, MarianConfig, MarianMTModel

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import temporary_folder, write_bytes, write_text
from hyperbaton.base.model_bin import read_variables
from hyperbaton.hub import read_weights, weight_files
from hyperbaton.train.recipe import Recipe
from hyperbaton.train.vocabulary import EOS, PAD, Vocabulary


def build_model(recipe: Recipe, vocabulary_size: int) -> MarianMTModel:
    """A Marian with fresh weights; all embeddings are one matrix."""
    # Sizes in multiples of eight let the matrix units of a GPU work at full width.
    size = -(-vocabulary_size // 8) * 8
    config = MarianConfig(
        vocab_size=size,
        decoder_vocab_size=size,
        d_model=recipe.d_model,
        encoder_layers=recipe.encoder_layers,
        decoder_layers=recipe.decoder_layers,
        encoder_attention_heads=recipe.heads,
        decoder_attention_heads=recipe.heads,
        encoder_ffn_dim=recipe.ffn,
        decoder_ffn_dim=recipe.ffn,
        activation_function=recipe.activation,
        dropout=recipe.dropout,
        attention_dropout=recipe.attention_dropout,
        activation_dropout=0.0,
        max_position_embeddings=max(256, recipe.max_length),
        scale_embedding=True,
        share_encoder_decoder_embeddings=True,
        tie_word_embeddings=True,
        pad_token_id=PAD,
        eos_token_id=EOS,
        bos_token_id=None,
        decoder_start_token_id=PAD,
        forced_eos_token_id=None,
        init_std=0.6 * recipe.d_model**-0.5,
    )
    torch.manual_seed(recipe.seed)
    model = MarianMTModel(config)
    # Embeddings of unit size once scaled, smaller layers. With both at d ** -0.5, post-norm
    # stacks fell apart at a learning rate of 0.3 / d_model.
    words = model.model.shared
    with torch.no_grad():
        words.weight.normal_(std=recipe.d_model**-0.5)
        words.weight[PAD].zero_()
    return model


def export_model(
    model: MarianMTModel, vocabulary: Vocabulary, recipe: Recipe, folder: Path, half: bool = False
) -> None:
    """Write a folder in the hub's format: configuration, safetensors, tokenizer, recipe."""
    model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
        pad_token_id=PAD,
        eos_token_id=EOS,
        decoder_start_token_id=PAD,
        bad_words_ids=[[PAD]],
        num_beams=4,
        max_length=recipe.max_length,
    )
    torch.nn.Module.to(model, torch.float16 if half else torch.float32)
    folder.mkdir(parents=True, exist_ok=True)
    with temporary_folder(folder.parent, folder.name) as made:
        model.save_pretrained(made)
        for file in made.iterdir():
            write_bytes(folder / file.name, file.read_bytes())
    vocabulary.save(folder)
    write_text(folder / "recipe.json", recipe.to_json())


_WORDS = "model.shared.weight"
_PLACES = "embed_positions"
_FOLLOW = ("embed_tokens", "lm_head", "final_logits_bias")


def begin_with(model: MarianMTModel, folder: Path) -> None:
    """Copy a translator's weights into a model of the same shape.

    The model may know more pieces, which keep their fresh weights; places have no weights to learn.
    """
    weights = _read(folder)
    parameters = {name: value for name, value in model.named_parameters() if _PLACES not in name}
    words = weights.get(_WORDS)
    shapes = {name: tuple(value.shape) for name, value in parameters.items()}
    stored = {name: tuple(value.shape) for name, value in weights.items()}
    if words is not None and words.shape[0] <= shapes[_WORDS][0]:
        stored[_WORDS] = (shapes[_WORDS][0], words.shape[1])
    if stored != shapes:
        raise HyperbatonError(
            f"{folder} holds a model of another shape: use its recipe and its vocabulary"
        )
    with torch.no_grad():
        for name, value in weights.items():
            parameters[name][: len(value)] = value


def _read(folder: Path) -> dict[str, torch.Tensor]:
    if (files := weight_files(folder)) is not None:
        stored = read_weights(files)
        return {
            name: value.float()
            for name, value in stored.items()
            if _PLACES not in name and not any(part in name for part in _FOLLOW)
        }
    if (folder / "model.bin").is_file():
        return marian_weights(folder / "model.bin")
    raise HyperbatonError(
        f"{folder} holds no translator (model.safetensors, pytorch_model.bin or model.bin)"
    )


_BLOCKS = {
    "self_attention": ("self_attn", "self_attn_layer_norm"),
    "attention": ("encoder_attn", "encoder_attn_layer_norm"),
    "ffn": ("", "final_layer_norm"),
}
_SPLIT = {
    ("self_attention", "linear_0"): ("q_proj", "k_proj", "v_proj"),
    ("self_attention", "linear_1"): ("out_proj",),
    ("attention", "linear_0"): ("q_proj",),
    ("attention", "linear_1"): ("k_proj", "v_proj"),
    ("attention", "linear_2"): ("out_proj",),
    ("ffn", "linear_0"): ("fc1",),
    ("ffn", "linear_1"): ("fc2",),
}
_ENDS = {"gamma": "weight", "beta": "bias", "weight": "weight", "bias": "bias"}


def marian_weights(path: Path) -> dict[str, torch.Tensor]:
    """The parameters of a `model.bin` by their names in transformers' Marian.

    Weights in int8 come back as near as their 256 steps allow.
    """
    stored, _, _ = read_variables(path)
    weights: dict[str, torch.Tensor] = {}
    for name, value in stored.items():
        parts = name.split("/")
        full = value.astype(np.float32)
        if parts[-1] == "weight" and f"{name}_scale" in stored:
            full /= stored[f"{name}_scale"].astype(np.float32).reshape(-1, 1)
        if name == "decoder/embeddings/weight":
            weights["model.shared.weight"] = torch.from_numpy(full)
        elif len(parts) >= 4 and parts[1].startswith("layer_") and parts[-1] in _ENDS:
            weights.update(_named(parts, full))
    if "model.shared.weight" not in weights:
        raise HyperbatonError(f"{path} is no Marian with one embedding matrix")
    return weights


def _named(parts: list[str], value: np.ndarray) -> Iterator[tuple[str, torch.Tensor]]:
    """One variable under its name or, where CTranslate2 laid several together, their names."""
    stack, layer, block, inner, end = parts
    inside, norm = _BLOCKS[block]
    start = f"model.{stack}.layers.{layer.removeprefix('layer_')}"
    if inner == "layer_norm":
        yield f"{start}.{norm}.{_ENDS[end]}", torch.from_numpy(value)
        return
    names = _SPLIT[block, inner]
    for name, piece in zip(names, np.split(value, len(names)), strict=True):
        whole = ".".join(part for part in (start, inside, name, _ENDS[end]) if part)
        yield whole, torch.from_numpy(piece.copy())
