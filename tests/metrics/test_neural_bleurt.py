"""BLEURT under the names of the PyTorch port, against its network written out step by step."""

from __future__ import annotations

import json
import math
import os
import subprocess
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics.neural.bleurt import BLEURT, _cut

from .neural_models import TEXTS, make_model

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
safetensors = pytest.importorskip("safetensors.torch")

WIDTH, HEADS, LAYERS, PLACES = 32, 2, 2, 96
ROTATED = TEXTS[1:] + TEXTS[:1]


def make_bleurt(folder: Path, pieces: bool) -> Path:
    """Random weights under bleurt-pytorch's names: BLEURT-20 (pieces) or the older BERT kind."""
    folder.mkdir(exist_ok=True)
    if pieces:
        import sentencepiece

        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(TEXTS),
            model_prefix=str(folder / "spm"),
            vocab_size=180,
            control_symbols=["[CLS]", "[SEP]", "[MASK]"],
            pad_id=0,
            pad_piece="[PAD]",
            unk_id=1,
            unk_piece="[UNK]",
            bos_id=-1,
            eos_id=-1,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        words = 200
    else:
        make_model(folder, "bert")
        words = json.loads((folder / "config.json").read_text())["vocab_size"]
    inner = 16 if pieces else WIDTH
    config = {
        "model_type": "bleurt",
        "architectures": ["BleurtForSequenceClassification"],
        "vocab_size": words,
        "embedding_size": inner if pieces else None,
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "intermediate_size": 2 * WIDTH,
        "max_position_embeddings": PLACES,
        "layer_norm_eps": 1e-12,
        "hidden_act": "gelu",
        "pad_token_id": 0,
    }
    (folder / "config.json").write_text(json.dumps(config))
    shapes: dict[str, tuple[int, ...]] = {
        f"embeddings.{name}_embeddings.weight": (size, inner)
        for name, size in (("word", words), ("position", PLACES), ("token_type", 2))
    }
    shapes |= {f"embeddings.LayerNorm.{part}": (inner,) for part in ("weight", "bias")}
    linear = {"pooler.dense": (WIDTH, WIDTH)}
    if pieces:
        linear["encoder.embedding_projection"] = (WIDTH, inner)
    for layer in range(LAYERS):
        stem = f"encoder.layer.{layer}"
        for name in ("query", "key", "value"):
            linear[f"{stem}.attention.self.{name}"] = (WIDTH, WIDTH)
        linear[f"{stem}.attention.output.dense"] = (WIDTH, WIDTH)
        linear[f"{stem}.intermediate.dense"] = (2 * WIDTH, WIDTH)
        linear[f"{stem}.output.dense"] = (WIDTH, 2 * WIDTH)
        for name in ("attention.output", "output"):
            shapes |= {f"{stem}.{name}.LayerNorm.{part}": (WIDTH,) for part in ("weight", "bias")}
    for name, shape in linear.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    torch.manual_seed(3)
    weights = {f"bleurt.{name}": 0.5 * torch.randn(shape) for name, shape in shapes.items()}
    weights |= {"classifier.weight": torch.randn(1, WIDTH), "classifier.bias": torch.randn(1)}
    weights["bleurt.embeddings.position_ids"] = torch.arange(PLACES)[None]
    safetensors.save_file(weights, folder / "model.safetensors")
    return folder


def by_hand(folder: Path, ids: list[int], second: int) -> float:
    """The network of Sellam et al. on one pair, from the stored tensors."""
    w = safetensors.load_file(folder / "model.safetensors")
    nn = torch.nn.functional

    def linear(x: Tensor, name: str) -> Tensor:
        out: Tensor = nn.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])
        return out

    def norm(x: Tensor, name: str) -> Tensor:
        scale, shift = w[f"{name}.LayerNorm.weight"], w[f"{name}.LayerNorm.bias"]
        out: Tensor = nn.layer_norm(x, scale.shape, scale, shift, 1e-12)
        return out

    n, stem = len(ids), "bleurt.embeddings"
    x = w[f"{stem}.word_embeddings.weight"][ids] + w[f"{stem}.position_embeddings.weight"][:n]
    kinds = [int(i >= second) for i in range(n)]
    x = norm(x + w[f"{stem}.token_type_embeddings.weight"][kinds], stem)
    if "bleurt.encoder.embedding_projection.weight" in w:
        x = linear(x, "bleurt.encoder.embedding_projection")
    for layer in range(LAYERS):
        stem = f"bleurt.encoder.layer.{layer}"
        q, k, v = (
            linear(x, f"{stem}.attention.self.{name}").view(n, HEADS, -1).transpose(0, 1)
            for name in ("query", "key", "value")
        )
        attention = (q @ k.transpose(1, 2) / math.sqrt(WIDTH / HEADS)).softmax(dim=-1) @ v
        mixed = linear(
            attention.transpose(0, 1).reshape(n, WIDTH), f"{stem}.attention.output.dense"
        )
        x = norm(x + mixed, f"{stem}.attention.output")
        inner = nn.gelu(linear(x, f"{stem}.intermediate.dense"))
        x = norm(x + linear(inner, f"{stem}.output.dense"), f"{stem}.output")
    return float(linear(torch.tanh(linear(x[0], "bleurt.pooler.dense")), "classifier"))


@pytest.fixture(scope="module", params=[True, False], ids=["BLEURT-20", "BERT"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bleurt(tmp_path_factory.mktemp("bleurt"), request.param)


def tokens(folder: Path, reference: str, hypothesis: str) -> tuple[list[int], int]:
    """[CLS] reference [SEP] hypothesis [SEP], with the folder's own tokenizer."""
    if (folder / "spm.model").is_file():
        import sentencepiece

        pieces = sentencepiece.SentencePieceProcessor(str(folder / "spm.model"))
        one, two = pieces.EncodeAsIds(reference), pieces.EncodeAsIds(hypothesis)
        first, last = pieces.PieceToId("[CLS]"), pieces.PieceToId("[SEP]")
        return [first, *one, last, *two, last], len(one) + 2
    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    coded = tokenizer.encode(reference, hypothesis)
    return coded.ids, coded.type_ids.index(1)


@pytest.mark.parametrize("batch_size", [1, 100])
def test_equal_to_the_network_by_hand(folder: Path, batch_size: int) -> None:
    hypotheses, references = [*ROTATED, "", "A dog"], [*TEXTS, "The cat", ""]
    metric = BLEURT(model=str(folder), batch_size=batch_size)
    scores = metric.sentence_scores(hypotheses * 2, references * 2)
    expected = [
        by_hand(folder, *tokens(folder, reference, hypothesis))
        for reference, hypothesis in zip(references, hypotheses, strict=True)
    ]
    assert scores == pytest.approx(expected * 2, abs=2e-5)
    assert np.ptp(expected) > 0.01
    assert metric.corpus_score(hypotheses, references) == pytest.approx(np.mean(expected), abs=2e-5)


def test_long_pairs_are_cut_to_what_the_model_reads(folder: Path) -> None:
    long, short = "The cat sat on the mat. " * 40, "A dog ran off."
    scores = BLEURT(model=str(folder)).sentence_scores([long, short, long], [short, long, long])
    assert np.isfinite(scores).all()
    assert _cut(list(range(9)), list(range(9)), 7) == ([0, 1, 2, 3], [0, 1, 2])
    assert _cut([1], [2], 7) == ([1], [2])
    assert BLEURT(model=str(folder)).sentence_scores([], []).shape == (0,)


def test_checkpoints_of_the_bert_class_are_read_too(tmp_path: Path) -> None:
    transformers = import_module("transformers")
    make_model(tmp_path, "bert")
    config = transformers.AutoConfig.from_pretrained(tmp_path, num_labels=1)
    torch.manual_seed(0)
    model = transformers.BertForSequenceClassification(config).eval()
    model.save_pretrained(tmp_path)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    rows = tokenizer(TEXTS, ROTATED, return_tensors="pt", padding=True, return_token_type_ids=True)
    with torch.inference_mode():
        expected = model(**rows).logits[:, 0].numpy()
    scores = BLEURT(model=str(tmp_path)).sentence_scores(ROTATED, TEXTS)
    assert scores == pytest.approx(expected, abs=1e-5)


def test_old_weights_are_read_unrun(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        if file.suffix != ".safetensors":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    torch.save(safetensors.load_file(folder / "model.safetensors"), tmp_path / "pytorch_model.bin")
    same = BLEURT(model=str(folder)).sentence_scores(ROTATED, TEXTS)
    read = BLEURT(model=str(tmp_path)).sentence_scores(ROTATED, TEXTS)
    assert read == pytest.approx(same, abs=1e-6)


def test_other_models_are_refused(tmp_path: Path) -> None:
    other = make_model(tmp_path, "distilbert")
    with pytest.raises(HyperbatonError, match="of the kind 'distilbert', not BLEURT"):
        BLEURT(model=str(other)).sentence_scores(["a"], ["b"])


PORT = """
import json, sys, torch
from bleurt_pytorch import BleurtForSequenceClassification, BleurtTokenizer
from bleurt_pytorch.bleurt.tokenization_bleurt_sp import BleurtSPTokenizer
folder, (references, hypotheses) = sys.argv[1], json.loads(sys.stdin.read())
model = BleurtForSequenceClassification.from_pretrained(folder).eval()
tokenizer = BleurtSPTokenizer(folder + "/spm.model")
with torch.no_grad():
    rows = tokenizer(references, hypotheses, padding="longest", return_tensors="pt")
    print(json.dumps(model(**rows).logits.flatten().tolist()))
"""


@pytest.mark.skipif(
    "HYPERBATON_BLEURT_PYTHON" not in os.environ,
    reason="needs HYPERBATON_BLEURT_PYTHON, an interpreter with bleurt-pytorch and transformers 4",
)
def test_equal_to_the_port_itself(tmp_path: Path) -> None:
    folder = make_bleurt(tmp_path / "bleurt", pieces=True)
    theirs = subprocess.run(
        [os.environ["HYPERBATON_BLEURT_PYTHON"], "-I", "-c", PORT, folder],
        input=json.dumps([TEXTS, ROTATED]),
        capture_output=True,
        text=True,
        check=True,
    )
    ours = BLEURT(model=str(folder)).sentence_scores(ROTATED, TEXTS)
    assert ours == pytest.approx(json.loads(theirs.stdout), abs=2e-5)
