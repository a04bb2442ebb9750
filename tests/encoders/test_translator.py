"""The encoder of a translation model as an encoder."""

from __future__ import annotations

from pathlib import Path

import ctranslate2
import numpy as np
import pytest

import hyperbaton
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders import ENCODERS, OpenEncoder

BUNDLED = Path(hyperbaton.__file__).parent / "data" / "bundled"


@pytest.fixture
def encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenEncoder:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path))
    return ENCODERS.parse("translator:bundled(threads=1)").open()


def test_translations_are_nearer_than_other_sentences(encoder: OpenEncoder) -> None:
    texts = ["Der Hund schläft.", "The dog is asleep.", "Wir fahren morgen nach Rom."]
    vectors = encoder.encode(texts)
    assert vectors.shape == (3, encoder.size)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert unit[0] @ unit[1] > unit[0] @ unit[2]


def test_a_vector_does_not_depend_on_its_batch(encoder: OpenEncoder) -> None:
    texts = ["Es regnet.", "Sie kommt heute nicht.", "", "Es schneit."]
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.allclose(encoder.encode(texts), alone, atol=1e-5)
    assert encoder.encode([]).shape == (0, encoder.size)


def test_its_tokenizer_can_be_lent(encoder: OpenEncoder) -> None:
    assert encoder.tokenizer == BUNDLED / "source.spm"


def test_every_variable_of_the_encoder_is_there(encoder: OpenEncoder, tmp_path: Path) -> None:
    (folder,) = (tmp_path / "encoders").iterdir()
    assert ctranslate2.contains_model(str(folder))
    data = (folder / "model.bin").read_bytes()
    assert b"decoder/" not in data
    assert b"encoder/embeddings_0/weight_scale\0" in data
    assert b"encoder/position_encodings/encodings\0" in data


def test_only_the_files_that_are_read_are_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("model.bin", "source.spm", "shared_vocabulary.json", "config.json"):
        (folder / name).write_bytes((BUNDLED / name).read_bytes())
    first = ENCODERS.parse(f"translator:{folder}").open()
    (folder / "MODEL_CARD.md").write_text("What it is.")
    assert ENCODERS.parse(f"translator:{folder}").open().signature == first.signature
    settings = folder / "config.json"
    settings.write_text(settings.read_text().replace("false", "true"))
    assert ENCODERS.parse(f"translator:{folder}").open().signature != first.signature


def test_what_is_no_translator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    with pytest.raises(HyperbatonError, match="holds no model"):
        ENCODERS.parse(f"translator:{tmp_path}").open()
    for name in ("source.spm", "shared_vocabulary.json"):
        (tmp_path / name).write_bytes((BUNDLED / name).read_bytes())
    (tmp_path / "model.bin").write_bytes(b"\6\0\0\0none")
    with pytest.raises(HyperbatonError, match="is not a translation model of CTranslate2"):
        ENCODERS.parse(f"translator:{tmp_path}").open()
    with pytest.raises(HyperbatonError, match="the vocabulary has no '>>xx<<'"):
        ENCODERS.parse("translator:bundled(mark='>>xx<<')").open()
