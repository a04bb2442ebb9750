"""Tiny random models in the hub's format, made on the spot with tokenizers trained here."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from tokenizers.models import Unigram
    from transformers import PreTrainedTokenizerBase

TEXTS = [
    "The cat sat on the mat and looked at the rain.",
    "A dog ran off with his hat in the rain.",
    "Der Hund lief mit dem Hut durch den Regen davon.",
    "Die Katze saß auf der Matte.",
    "Le chat était assis sur le tapis et regardait la pluie.",
    "Кошка сидела на коврике и смотрела на дождь.",
    "猫はマットの上に座って雨を見ていた。",
    "The scholar is typesetting.",
    "It is raining cats and dogs, is it not?",
]
Kind = Literal["bert", "xlm-roberta", "roberta", "distilbert"]


def make_model(folder: Path, kind: Kind, seed: int = 0, width: int = 32) -> Path:
    """A folder with configuration, safetensors and tokenizer; the same seed, the same weights."""
    torch, transformers = import_module("torch"), import_module("transformers")
    tokenizer = _byte_pairs() if kind == "roberta" else _pieces(kind)
    # RoBERTa keeps two of the 64 positions for padding.
    tokenizer.model_max_length = 62 if "roberta" in kind else 64
    tokenizer.save_pretrained(folder)
    if kind == "distilbert":
        size = {"dim": width, "n_layers": 3, "n_heads": 2, "hidden_dim": 2 * width}
    else:
        size = {"hidden_size": width, "num_hidden_layers": 3, "num_attention_heads": 2}
        size |= {"intermediate_size": 2 * width}
    config = transformers.AutoConfig.for_model(
        kind,
        vocab_size=len(tokenizer),
        pad_token_id=tokenizer.pad_token_id,
        max_position_embeddings=64,
        initializer_range=0.5,  # far from the start of training: texts differ clearly
        **size,
    )
    torch.manual_seed(seed)
    transformers.AutoModel.from_config(config).save_pretrained(folder)
    return folder


def _pieces(kind: Kind) -> PreTrainedTokenizerBase:
    from tokenizers import (
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
        trainers,
    )

    if kind == "xlm-roberta":
        special = ["<s>", "<pad>", "</s>", "<unk>"]
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.normalizer = normalizers.NFKC()
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=200, special_tokens=special, unk_token="<unk>", show_progress=False
        )
        tokenizer.train_from_iterator(TEXTS, trainer)
        tokenizer.model = _in_order(tokenizer, len(special))
        names = {"cls_token": "<s>", "sep_token": "</s>", "bos_token": "<s>", "eos_token": "</s>"}
        names |= {"pad_token": "<pad>", "unk_token": "<unk>"}
    else:
        special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        tokenizer = Tokenizer(models.WordPiece(_words(special), unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.decoder = decoders.WordPiece()
        names = {"cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]"}
        names |= {"unk_token": "[UNK]", "mask_token": "[MASK]"}
    tokenizer.add_special_tokens(special)
    first, last = names["cls_token"], names["sep_token"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} $B:1 {last}:1",
        special_tokens=[(t, tokenizer.token_to_id(t)) for t in (first, last)],
    )
    fast = import_module("transformers").PreTrainedTokenizerFast
    made: PreTrainedTokenizerBase = fast(tokenizer_object=tokenizer, **names)
    return made


def _words(special: list[str]) -> dict[str, int]:
    """Every letter and every word of the texts; a trained vocabulary differs from run to run."""
    words = sorted({word for text in TEXTS for word in re.findall(r"\w+|[^\w\s]", text)})
    letters = sorted({letter for word in words for letter in word})
    pieces = [*special, *letters, *(f"##{letter}" for letter in letters), *words]
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}


def _in_order(tokenizer: Tokenizer, special: int) -> Unigram:
    """What was learnt, in an order that is the same in every run: a hash decides it otherwise."""
    from tokenizers import models

    learnt = json.loads(tokenizer.to_str())["model"]
    pieces = [(piece, round(score, 3)) for piece, score in learnt["vocab"]]
    others = sorted(pieces[special:], key=lambda one: (-one[1], one[0]))
    return models.Unigram(pieces[:special] + others, learnt["unk_id"])


def _byte_pairs() -> PreTrainedTokenizerBase:
    from tokenizers import ByteLevelBPETokenizer

    trained = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained.train_from_iterator(TEXTS, 400, special_tokens=special, show_progress=False)
    model = json.loads(trained.to_str())["model"]
    merges = [tuple(pair) for pair in model["merges"]]
    kind = import_module("transformers").RobertaTokenizer
    made: PreTrainedTokenizerBase = kind(vocab=model["vocab"], merges=merges)
    return made
