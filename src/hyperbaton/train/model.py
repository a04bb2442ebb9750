"""The Transformer, as transformers' Marian: what is trained here loads everywhere."""

from __future__ import annotations

from pathlib import Path

import torch
from transformers import GenerationConfig, MarianConfig, MarianMTModel

from hyperbaton.base.files import temporary_folder, write_bytes, write_text
from hyperbaton.train.recipe import Recipe
from hyperbaton.train.vocabulary import EOS, PAD, Vocabulary

__all__ = ["build_model", "export_model"]


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
