"""Sentence embeddings are sentence-transformers' own, whatever stands on top of the encoder."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.hf import HuggingFace
from hyperbaton.metrics.neural.cosine import SentenceCosine

from .neural_models import TEXTS, make_model

pytest.importorskip("torch")
library = pytest.importorskip("sentence_transformers")

MODES = ["mean", "cls", "max", "lasttoken", "weightedmean", "mean_sqrt_len_tokens"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("xlmr"), "xlm-roberta")


def save(folder: Path, encoder: Path, mode: str | list[str], dense: bool = False) -> Path:
    """A folder that sentence-transformers itself wrote."""
    modules = import_module("sentence_transformers.sentence_transformer.modules")
    first = modules.Transformer(str(encoder), max_seq_length=20)
    pooling = modules.Pooling(first.get_embedding_dimension(), pooling_mode=mode)
    parts = [first, pooling]
    if dense:
        width = pooling.get_embedding_dimension()
        parts.append(modules.Dense(width, 16, activation_function=import_module("torch.nn").Tanh()))
    parts.append(modules.Normalize())
    library.SentenceTransformer(modules=parts, device="cpu").save(str(folder))
    return folder


@pytest.mark.parametrize(
    ("mode", "dense"), [*((mode, False) for mode in MODES), (["mean", "max"], True)]
)
def test_equal_to_sentence_transformers(
    mode: str | list[str], dense: bool, encoder: Path, tmp_path: Path
) -> None:
    folder = save(tmp_path, encoder, mode, dense)
    texts = [*TEXTS, "A dog", "cat " * 50, "", TEXTS[0]]
    theirs = library.SentenceTransformer(str(folder), device="cpu").encode(texts)
    metric = SentenceCosine(model=str(folder), batch_size=3)
    theirs = theirs / np.linalg.norm(theirs, axis=1, keepdims=True)
    cosines = metric.sentence_scores(texts[1:], texts[:-1])
    assert cosines == pytest.approx((theirs[1:] * theirs[:-1]).sum(axis=1), abs=2e-6)


def test_any_encoder_has_the_mean_of_its_last_layer(encoder: Path) -> None:
    metric = SentenceCosine(model=str(encoder))
    vectors = HuggingFace(str(encoder)).open().encode(TEXTS)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = metric.sentence_scores(TEXTS, TEXTS[1:] + TEXTS[:1])
    assert cosines == pytest.approx((vectors * np.roll(vectors, -1, axis=0)).sum(axis=1), abs=1e-6)
    assert f"sentence-transformers:{library.__version__}" in metric.signature("sentence")
    assert metric.symmetric


def test_equal_texts_are_read_once(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    encode = library.SentenceTransformer.encode

    def watched(self: object, texts: list[str], **options: object) -> object:
        read.extend(texts)
        return encode(self, texts, **options)

    monkeypatch.setattr(library.SentenceTransformer, "encode", watched)
    metric = SentenceCosine(model=str(encoder))
    scores = metric.sentence_scores(TEXTS * 3, TEXTS[:1] * len(TEXTS) * 3)
    assert sorted(read) == sorted(TEXTS)
    assert scores[0] == pytest.approx(1, abs=1e-6)
    assert (scores <= 1).all()
    assert metric.sentence_scores([], []).shape == (0,)


def test_folders_of_older_versions(encoder: Path, tmp_path: Path) -> None:
    for file in encoder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    kinds = [("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")]
    modules = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (kind, path) in enumerate(kinds)
    ]
    (tmp_path / "modules.json").write_text(json.dumps(modules))
    (tmp_path / "1_Pooling").mkdir()
    settings = {"word_embedding_dimension": 32, "pooling_mode_cls_token": True}
    settings["pooling_mode_mean_tokens"] = False
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(settings))
    metric = SentenceCosine(model=str(tmp_path))
    theirs = library.SentenceTransformer(str(tmp_path), device="cpu").encode(["A dog", "a cat"])
    theirs /= np.linalg.norm(theirs, axis=1, keepdims=True)
    assert metric.sentence_scores(["A dog"], ["a cat"]) == pytest.approx(
        [float(theirs[0] @ theirs[1])], abs=1e-6
    )


def test_a_folder_that_brings_code_is_refused(encoder: Path, tmp_path: Path) -> None:
    for file in encoder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "", "type": "own.Pooling"},
    ]
    (tmp_path / "modules.json").write_text(json.dumps(modules))
    (tmp_path / "own.py").write_text("open('ran', 'w')")
    with pytest.raises(HyperbatonError, match="cannot be loaded: it brings its own code"):
        SentenceCosine(model=str(tmp_path)).sentence_scores(["a"], ["b"])
    assert not Path("ran").exists()


def test_missing_weights_are_told(encoder: Path, tmp_path: Path) -> None:
    torch_files = import_module("safetensors.torch")
    for file in encoder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = torch_files.load_file(tmp_path / "model.safetensors")
    weights.pop(next(name for name in weights if "layer.1.output.dense.weight" in name))
    torch_files.save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(HyperbatonError, match="its files lack 1 of the weights"):
        SentenceCosine(model=str(tmp_path)).sentence_scores(["a"], ["b"])
