"""Sentence embeddings are sentence-transformers' own, whatever stands on top of the encoder."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.hub import Source
from hyperbaton.metrics.neural.cosine import SentenceCosine
from hyperbaton.metrics.neural.encoder import load_encoder

from .neural_models import TEXTS, make_model

pytest.importorskip("torch")
pytest.importorskip("transformers")

MODES = ["mean", "cls", "max", "lasttoken", "weightedmean", "mean_sqrt_len_tokens"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("xlmr"), "xlm-roberta")


def save(folder: Path, encoder: Path, mode: str | list[str], dense: bool = False) -> Path:
    """A folder that sentence-transformers itself wrote."""
    library = pytest.importorskip("sentence_transformers")
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
    library = pytest.importorskip("sentence_transformers")
    folder = save(tmp_path, encoder, mode, dense)
    texts = [*TEXTS, "A dog", "cat " * 50, "", TEXTS[0]]
    theirs = library.SentenceTransformer(str(folder), device="cpu").encode(texts)
    metric = SentenceCosine(model=str(folder), batch_tokens=64)
    ours = metric.embed(texts)
    assert ours == pytest.approx(theirs, abs=2e-6)
    cosines = metric.sentence_scores(texts[1:], texts[:-1])
    assert cosines == pytest.approx((theirs[1:] * theirs[:-1]).sum(axis=1), abs=2e-6)


def test_any_encoder_has_the_mean_of_its_last_layer(encoder: Path) -> None:
    metric = SentenceCosine(model=str(encoder))
    states = dict(load_encoder(Source(str(encoder)), None, "cpu", None).encode(TEXTS, 512))
    means = np.stack([states[i].states.mean(dim=0).numpy() for i in range(len(TEXTS))])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    assert metric.embed(TEXTS) == pytest.approx(means, abs=1e-6)
    assert "pooling:mean|revision:" in metric.signature("sentence")
    assert metric.symmetric


def test_equal_texts_are_read_once(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hyperbaton.metrics.neural.encoder import Encoder

    read: list[str] = []
    encode = Encoder.encode

    def watched(self: Encoder, texts: list[str], tokens: int) -> object:
        read.extend(texts)
        return encode(self, texts, tokens)

    monkeypatch.setattr(Encoder, "encode", watched)
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
    assert metric.fields("sentence")["pooling"] == "cls"
    first = next(iter(load_encoder(Source(str(encoder)), None, "cpu", None).encode(["A dog"], 99)))
    vector = first[1].states[0].numpy()
    assert metric.embed(["A dog"])[0] == pytest.approx(vector / np.linalg.norm(vector), abs=1e-6)
    modules[1]["type"] = "sentence_transformers.models.CNN"
    (tmp_path / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(HyperbatonError, match="kind CNN are not supported"):
        metric.fields("sentence")
