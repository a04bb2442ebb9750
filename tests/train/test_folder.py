"""A training that was killed leaves nothing for good, and its log says every step once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("filelock")
pytest.importorskip("safetensors")

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.train.checkpoint import alone, cut_log


def test_half_written_tensors_are_removed(tmp_path: Path) -> None:
    ours = [tmp_path / "checkpoints" / ".tmpA1b2C3", tmp_path / "model" / ".tmpXYZabc"]
    others = [tmp_path / ".tmpA1b2C3", tmp_path / "checkpoints" / ".tmp-notes"]
    for path in (*ours, *others):
        path.parent.mkdir(exist_ok=True)
        path.write_text("half")
    with alone(tmp_path):
        assert not any(path.exists() for path in ours)
        assert all(path.exists() for path in others)


def test_one_training_at_a_time(tmp_path: Path) -> None:
    with (
        alone(tmp_path / "run"),
        pytest.raises(HyperbatonError, match="Another process is training in"),
        alone(tmp_path / "run"),
    ):
        pass
    with alone(tmp_path / "run"):
        pass


def test_a_log_is_cut_where_training_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    cut_log(path, 20)
    assert not path.exists()
    rows = [json.dumps({"step": step, "loss": 1.0}) + "\n" for step in (10, 20, 30)]
    path.write_text("".join(rows) + '{"step": 40, "lo')
    cut_log(path, 20)
    assert path.read_text() == "".join(rows[:2])
    cut_log(path, 0)
    assert path.read_text() == ""
