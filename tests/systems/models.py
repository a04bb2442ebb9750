"""Tiny translators of every family, with random weights, saved as the hub saves them."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
import sentencepiece

from hyperbaton.systems.chat.prompts import messages
from hyperbaton.systems.ct2.convert import to_ctranslate2

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

# Whatever tests need these models are passed over where torch is not installed.
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

LINES = [
    "The cat sat on the mat.",
    "A small dog runs to the big house.",
    "We read a book about the old city.",
    "Die Katze sitzt auf der Matte.",
    "Ein kleiner Hund läuft zum großen Haus.",
    "Wir lesen ein Buch über die alte Stadt.",
    "Le chat est assis sur le tapis.",
    "Un petit chien court vers la grande maison.",
    "Nous lisons un livre sur la vieille ville.",
    "translate English to German: the red car.",
]
TEXTS = [
    "The cat runs.",
    "A big old city on the mat.",
    "We read about the house, the dog and the small cat.",
    "the the the",
    "Dog!",
    "The old book sat to the city about a mat. We read.",
    "on",
    "House to house we runs about",
]
"""Sources of several lengths, some with letters that the vocabulary has not."""

_SHAPE: dict[str, Any] = {
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "max_position_embeddings": 128,
    "init_std": 0.1,
    "dropout": 0.0,
}
# What the hub's configuration says beyond the fields that the class knows.
_MBART: dict[str, Any] = {
    "tokenizer_class": "MBart50Tokenizer",
    "normalize_before": True,
    "normalize_embedding": True,
}


def _sentencepiece(path: Path, kind: str = "unigram", **options: Any) -> list[str]:
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES * 4),
        model_writer=(file := path.open("wb")),
        vocab_size=90,
        model_type=kind,
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    file.close()
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [processor.id_to_piece(number) for number in range(processor.get_piece_size())]


def _save(
    folder: Path,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
) -> Path:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _teach(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    before: str = "",
    zero: int | None = None,
) -> None:
    """A few steps on a few pairs: random weights alone never end a sentence."""
    sources = [before + line for line in LINES[:3]]
    batch = tokenizer(sources, text_target=LINES[3:6], padding=True, return_tensors="pt")
    batch["labels"][batch["labels"] == tokenizer.pad_token_id] = -100
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    model.train()
    for _ in range(80):
        model(**batch).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if zero is not None:
            torch.nn.init.zeros_(model.state_dict()["model.shared.weight"][zero])
    model.train(False)


def marian(
    folder: Path,
    languages: tuple[str, ...] = (),
    declared: tuple[str, str] = ("", ""),
    toolkit: bool = True,
) -> Path:
    """A Marian model, multilingual where languages are given.

    As the toolkit writes them, `<pad>` is last and its embedding zero; trained in transformers,
    it may stand anywhere, has weights of its own, and rows are rounded up.
    """
    folder.mkdir()
    left = _sentencepiece(folder / "source.spm")
    right = _sentencepiece(folder / "target.spm", kind="bpe")
    plain = [p for p in dict.fromkeys(left + right) if p not in ("<s>", "</s>", "<unk>")]
    order = ["</s>", "<unk>", *plain, *(f">>{code}<<" for code in languages)]
    order.insert(len(order) if toolkit else 2, "<pad>")
    pad = order.index("<pad>")
    (folder / "vocab.json").write_text(json.dumps({token: at for at, token in enumerate(order)}))
    tokenizer = transformers.MarianTokenizer(
        source_spm=str(folder / "source.spm"),
        target_spm=str(folder / "target.spm"),
        vocab=str(folder / "vocab.json"),
        source_lang=declared[0] or None,
        target_lang=declared[1] or None,
    )
    torch.manual_seed(1)
    config = transformers.MarianConfig(
        vocab_size=len(order) if toolkit else -(-len(order) // 8) * 8 + 8,
        pad_token_id=pad,
        decoder_start_token_id=pad,
        eos_token_id=0,
        forced_eos_token_id=None,
        **_SHAPE,
    )
    model = transformers.MarianMTModel(config)
    model.generation_config.bad_words_ids = [[pad]]
    before = f">>{languages[0]}<< " if languages else ""
    _teach(model, tokenizer, before, zero=pad if toolkit else None)
    return _save(folder, model, tokenizer)


def trained_marian(folder: Path) -> Path:
    """A Marian model as transformers trains it."""
    return marian(folder, languages=("de", "fr"), toolkit=False)


def multilingual_marian(folder: Path) -> Path:
    """A Marian model that is told the target with `>>xx<<`."""
    return marian(folder, languages=("de", "fr", "cmn_Hans"))


def bilingual_marian(folder: Path) -> Path:
    """A Marian model for one direction."""
    return marian(folder, declared=("eng", "deu"))


def m2m100(folder: Path) -> Path:
    """An M2M-100 model."""
    folder.mkdir()
    pieces = _sentencepiece(folder / "sentencepiece.bpe.model")
    order = ["<s>", "<pad>", "</s>", "<unk>", *(p for p in pieces if not p.startswith("<"))]
    (folder / "vocab.json").write_text(json.dumps({token: at for at, token in enumerate(order)}))
    tokenization = importlib.import_module("transformers.models.m2m_100.tokenization_m2m_100")
    codes = tokenization.FAIRSEQ_LANGUAGE_CODES["m2m100"]
    tokenizer = transformers.M2M100Tokenizer(
        vocab_file=str(folder / "vocab.json"),
        spm_file=str(folder / "sentencepiece.bpe.model"),
        additional_special_tokens=[f"__{code}__" for code in codes],
    )
    tokenizer.src_lang, tokenizer.tgt_lang = "en", "de"
    return _m2m(folder, tokenizer, len(order) + 100 + 8)


def nllb(folder: Path) -> Path:
    """An NLLB model."""
    folder.mkdir()
    _sentencepiece(folder / "sentencepiece.bpe.model", kind="bpe")
    tokenization = importlib.import_module("transformers.models.nllb.tokenization_nllb")
    tokenizer = transformers.NllbTokenizer.from_pretrained(
        folder,
        src_lang="eng_Latn",
        tgt_lang="deu_Latn",
        additional_special_tokens=tokenization.FAIRSEQ_LANGUAGE_CODES,
    )
    return _m2m(folder, tokenizer, len(tokenizer))


def _m2m(folder: Path, tokenizer: PreTrainedTokenizerBase, size: int) -> Path:
    torch.manual_seed(2)
    config = transformers.M2M100Config(vocab_size=size, decoder_start_token_id=2, **_SHAPE)
    model = transformers.M2M100ForConditionalGeneration(config)
    _teach(model, tokenizer)
    return _save(folder, model, tokenizer)


def mbart50(folder: Path) -> Path:
    """An mBART-50 model."""
    folder.mkdir()
    _sentencepiece(folder / "sentencepiece.bpe.model")
    tokenizer = transformers.MBart50Tokenizer.from_pretrained(
        folder, src_lang="en_XX", tgt_lang="de_DE", bos_token="<s>"
    )
    torch.manual_seed(3)
    config = transformers.MBartConfig(
        vocab_size=len(tokenizer),
        decoder_start_token_id=2,
        forced_eos_token_id=None,
        **_SHAPE,
        **_MBART,
    )
    model = transformers.MBartForConditionalGeneration(config)
    _teach(model, tokenizer)
    return _save(folder, model, tokenizer)


def t5(folder: Path) -> Path:
    """A T5 model."""
    folder.mkdir()
    _sentencepiece(folder / "spiece.model", pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    tokenizer = transformers.T5Tokenizer.from_pretrained(folder)
    torch.manual_seed(4)
    shape: dict[str, Any] = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2}
    shape["decoder_start_token_id"] = 0
    config = transformers.T5Config(vocab_size=len(tokenizer), **shape)
    model = transformers.T5ForConditionalGeneration(config)
    _teach(model, tokenizer, "translate English to German: ")
    return _save(folder, model, tokenizer)


def chat(folder: Path) -> Path:
    """A decoder-only model with a chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<|end|>", "<|user|>", "<|assistant|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    inner.train_from_iterator(LINES, trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|end|>")
    tokenizer.chat_template = (
        "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>"
        "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    torch.manual_seed(5)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=1024,
        initializer_range=0.6,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=None,
    )
    model = transformers.LlamaForCausalLM(config)
    _teach_to_answer(model, tokenizer)
    return _save(folder, model, tokenizer)


def _teach_to_answer(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
    """A few steps on short answers that end: random weights alone go on for ever."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    rows = []
    for text, reply in zip(TEXTS[:3], LINES[3:6], strict=True):
        asked = tokenizer.apply_chat_template(
            messages(text, "en", "de"), tokenize=False, add_generation_prompt=True
        )
        row = tokenizer(f"{asked}{reply.split()[0]}<|end|>", return_tensors="pt")["input_ids"]
        rows.append((row, len(tokenizer(asked)["input_ids"])))
    model.train()
    for _ in range(40):
        for row, read in rows:
            labels = row.clone()
            labels[:, :read] = -100
            model(input_ids=row, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.train(False)


SEQ2SEQ: dict[str, Callable[[Path], Path]] = {
    "marian": bilingual_marian,
    "multilingual": multilingual_marian,
    "trained": trained_marian,
    "m2m100": m2m100,
    "nllb": nllb,
    "mbart50": mbart50,
    "t5": t5,
}
_HOME = TemporaryDirectory(prefix="hyperbaton-tiny-")


@cache
def built(name: str) -> Path:
    """The folder of a model, built once for all tests."""
    torch.set_num_threads(1)
    return {**SEQ2SEQ, "chat": chat}[name](Path(_HOME.name) / name)


@cache
def converted(name: str) -> Path:
    """The same weights for CTranslate2, in full precision."""
    return to_ctranslate2(built(name), Path(_HOME.name) / f"{name}.ct2", "float32")
