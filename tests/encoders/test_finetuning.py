"""Fine-tuning on a small model: it learns, it resumes to the same weights, it refuses mix-ups."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.tuning.finetuning import FineTuning, Kind, Texts, fine_tune
from tests.encoders.small_e5 import write_small

WORDS = ["ab", "cd", "ef", "gh", "ij", "kl"]


@pytest.fixture(autouse=True)
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from hyperbaton.encoders.tuning import training as finetuning_torch

    write_small(tmp_path / "e5-small-q4.bin")
    monkeypatch.setenv("HYPERBATON_E5", str(tmp_path))
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    torch.set_num_threads(1)
    finetuning_torch._model.cache_clear()


def _data(kind: Kind, rows: int, seed: int = 0) -> tuple[list[tuple[str, ...]], list[int]]:
    """A word has a class, pairs are equal or not, the right choice repeats the premise."""
    rng = np.random.default_rng(seed)
    texts: list[tuple[str, ...]] = []
    gold = []
    for _ in range(rows):
        a, b = rng.choice(len(WORDS), 2, replace=False).tolist()
        label = int(rng.integers(2))
        if kind == "single":
            texts.append((f"{WORDS[a]} xy",))
            gold.append(a % 3)
        elif kind == "pair":
            texts.append((WORDS[a], WORDS[a] if label else WORDS[b]))
            gold.append(label)
        else:
            first, second = (WORDS[b], WORDS[a]) if label else (WORDS[a], WORDS[b])
            texts.append((WORDS[a], first, second))
            gold.append(label)
    return texts, gold


@pytest.mark.parametrize(("kind", "labels"), [("single", 3), ("pair", 2), ("choice", 2)])
def test_a_rule_is_learnt(kind: Kind, labels: int, tmp_path: Path) -> None:
    texts, gold = _data(kind, 320)
    last = fine_tune(
        FineTuning("e5", kind, labels, epochs=20, rate=4e-3), texts, gold, tmp_path / "out", "cpu"
    )[-1]
    fresh, right = _data(kind, 100, seed=1)
    assert (last.predict(fresh) == right).mean() > 0.85
    assert last.predict([]).shape == (0,)


def _weights(folder: Path) -> dict[str, NDArray[np.float32]]:
    with np.load(folder / "seed-4" / "epoch-03.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.mark.parametrize("lost", [["epoch-03.npz"], ["epoch-02.npz", "epoch-03.npz"]])
def test_a_killed_training_resumes_to_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: list[str]
) -> None:
    from hyperbaton.encoders.tuning import training as finetuning_torch

    texts, gold = _data("pair", 40)

    def run(folder: Path) -> list[str]:
        found = fine_tune(
            FineTuning("e5", "pair", 2, seed=4, epochs=3, rate=1e-3), texts, gold, folder, "cpu"
        )
        return [one.name for one in found]

    assert run(tmp_path / "whole") == ["seed-4/epoch-01", "seed-4/epoch-02", "seed-4/epoch-03"]
    kept = finetuning_torch._keep

    def killed(*arguments: object) -> None:
        epoch = arguments[-1]
        assert isinstance(epoch, int)
        kept(*arguments)  # type: ignore[arg-type]
        if f"epoch-{epoch:02}.npz" in lost:
            # As if the process had ended between the two files.
            (tmp_path / "cut" / "seed-4" / f"epoch-{epoch:02}.npz").unlink()
            raise KeyboardInterrupt

    monkeypatch.setattr(finetuning_torch, "_keep", killed)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "cut")
    monkeypatch.setattr(finetuning_torch, "_keep", kept)
    run(tmp_path / "cut")
    whole, cut = _weights(tmp_path / "whole"), _weights(tmp_path / "cut")
    assert all(np.array_equal(whole[name], cut[name]) for name in whole)
    assert "network.word.weight" not in whole
    assert sorted(path.name for path in (tmp_path / "cut" / "seed-4").iterdir()) == [
        "epoch-01.npz",
        "epoch-02.npz",
        "epoch-03.npz",
        "fine-tuning.json",
    ]


def test_what_is_there_is_not_trained_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hyperbaton.encoders.tuning import training as finetuning_torch

    texts, gold = _data("pair", 8)
    first = fine_tune(FineTuning("e5", "pair", 2, epochs=2), texts, gold, tmp_path / "out", "cpu")
    monkeypatch.setattr(finetuning_torch, "take_step", lambda *_, **__: pytest.fail("trained"))
    again = fine_tune(FineTuning("e5", "pair", 2, epochs=2), texts, gold, tmp_path / "out", "cpu")
    assert [one.name for one in again] == [one.name for one in first]
    with pytest.raises(HyperbatonError, match="other settings or texts"):
        fine_tune(FineTuning("e5", "pair", 2, epochs=2), texts, gold[::-1], tmp_path / "out", "cpu")
    with pytest.raises(HyperbatonError, match="other settings or texts"):
        fine_tune(FineTuning("e5", "pair", 2, epochs=3), texts, gold, tmp_path / "out", "cpu")


def test_the_rate_rises_and_falls() -> None:
    job = FineTuning("e5", "pair", 2, warmup=0.1)
    rates = [job.learning_rate(step, 100) for step in range(100)]
    assert rates[0] == pytest.approx(2e-6)
    assert max(rates) == rates[9] == pytest.approx(2e-5)
    assert rates[-1] == pytest.approx(2e-5 / 90)


@pytest.mark.parametrize(
    ("texts", "gold", "said"),
    [
        ([("a", "b")], [0, 1], "1 texts but 2 labels"),
        ([("a", "b"), ("a",)], [0, 1], "row 2 has 1 texts: 'pair' wants 2"),
        ([("a", "b")], [2], "not among 0 to 1"),
    ],
)
def test_wrong_data(texts: Texts, gold: list[int], said: str, tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=said):
        fine_tune(FineTuning("e5", "pair", 2), texts, gold, tmp_path, "cpu")


def test_a_broken_checkpoint(tmp_path: Path) -> None:
    texts, gold = _data("pair", 8)
    one = fine_tune(FineTuning("e5", "pair", 2, epochs=1), texts, gold, tmp_path / "out", "cpu")[0]
    (tmp_path / "out" / "seed-0" / "epoch-01.npz").write_bytes(b"no archive")
    with pytest.raises(HyperbatonError, match="it is trained again"):
        one.predict(texts)


def test_a_broken_state_of_the_optimizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hyperbaton.encoders.tuning import training as finetuning_torch

    texts, gold = _data("pair", 8)
    kept = finetuning_torch._keep

    def killed(*arguments: object) -> None:
        kept(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(finetuning_torch, "_keep", killed)
    with pytest.raises(KeyboardInterrupt):
        fine_tune(FineTuning("e5", "pair", 2, epochs=2), texts, gold, tmp_path / "out", "cpu")
    state = tmp_path / "out" / "seed-0" / "resume-01.pt"
    state.write_bytes(state.read_bytes()[:200])
    with pytest.raises(HyperbatonError, match=r"resume-01\.pt cannot be read: delete .*seed-0"):
        fine_tune(FineTuning("e5", "pair", 2, epochs=2), texts, gold, tmp_path / "out", "cpu")
