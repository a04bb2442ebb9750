"""Encoders in the hub's format with random weights, small enough to be fine-tuned in a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

LETTERS = [chr(code) for code in range(ord("a"), ord("z") + 1)]
SIZES: Mapping[str, int] = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}
PLACES = 128


def make_bert(folder: Path) -> Path:
    """BERT with a piece for each letter; of a pair it knows which text a piece is of."""
    tokenizers, transformers = import_module("tokenizers"), import_module("transformers")
    models, before, after = (
        import_module(f"tokenizers.{name}") for name in ("models", "pre_tokenizers", "processors")
    )

    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    pieces = [*marks, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    known = {piece: place for place, piece in enumerate(pieces)}
    tokenizer = tokenizers.Tokenizer(models.WordPiece(known, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = before.BertPreTokenizer()
    tokenizer.post_processor = after.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    _write(tokenizer, folder, marks, ["input_ids", "token_type_ids", "attention_mask"])
    import_module("torch").manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(pieces), max_position_embeddings=PLACES, **SIZES
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def make_xlm_r(folder: Path) -> Path:
    """XLM-R with a piece for each letter, its marks where XLM-R has them."""
    tokenizers, transformers = import_module("tokenizers"), import_module("transformers")
    models, before, after = (
        import_module(f"tokenizers.{name}") for name in ("models", "pre_tokenizers", "processors")
    )

    marks = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces = [*marks, "▁", *LETTERS, *(f"▁{letter}" for letter in LETTERS)]
    tokenizer = tokenizers.Tokenizer(models.Unigram([(piece, -1.0) for piece in pieces], unk_id=3))
    tokenizer.pre_tokenizer = before.Metaspace()
    tokenizer.post_processor = after.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    start, pad, end, unknown = marks
    _write(tokenizer, folder, [pad, unknown, start, end], ["input_ids", "attention_mask"])
    import_module("torch").manual_seed(2)
    config = transformers.XLMRobertaConfig(
        vocab_size=len(pieces),
        max_position_embeddings=PLACES,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        type_vocab_size=1,
        **SIZES,
    )
    transformers.XLMRobertaModel(config).save_pretrained(folder)
    return folder


def make_canine(folder: Path) -> Path:
    """CANINE, which reads characters."""
    transformers = import_module("transformers")
    import_module("torch").manual_seed(3)
    config = transformers.CanineConfig(
        num_hash_buckets=512, num_hash_functions=4, max_position_embeddings=512, **SIZES
    )
    transformers.CanineModel(config).save_pretrained(folder)
    transformers.CanineTokenizer().save_pretrained(folder)
    return folder


def _write(tokenizer: Any, folder: Path, marks: list[str], inputs: list[str]) -> None:
    names = ("pad_token", "unk_token", "cls_token", "sep_token")
    import_module("transformers").PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=PLACES - 2,
        model_input_names=inputs,
        **dict(zip(names, marks, strict=True)),
    ).save_pretrained(folder)


MADE: Mapping[str, Callable[[Path], Path]] = {
    "bert": make_bert,
    "xlm-r": make_xlm_r,
    "canine": make_canine,
}
