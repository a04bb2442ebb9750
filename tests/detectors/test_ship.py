"""`scripts/e5_pair/ship.py`: what is trained, packed with a temperature."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit

from hyperbaton.detectors.e5_pair import read_changes

SCRIPT = Path(__file__).parents[2] / "scripts" / "e5_pair" / "ship.py"


def _write(path: Path, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    np.savez(path, allow_pickle=False, **arrays)


def test_a_run_is_packed_with_its_temperature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    odds = rng.normal(size=4000)
    labels = (rng.random(4000) < expit(odds)).astype(np.int8)
    # Three times too sure on the pairs that count, and always wrong on others.
    sure: NDArray[np.generic] = expit(3 * odds)
    chances = {"test-zh": sure, "val-de": 1 - labels}
    _write(tmp_path / "p.npz", {**chances, "labels:test-zh": labels, "labels:val-de": labels})
    weights = {
        "head.w": (4, 4),
        "head.b": (4,),
        "out.w": (4, 2),
        "out.b": (2,),
        "l0.fi.w.A": (4, 2),
    }
    drawn = {name: rng.normal(size=size).astype(np.float32) for name, size in weights.items()}
    _write(tmp_path / "w.npz", drawn)
    command = ["ship.py", "--weights", str(tmp_path / "w.npz"), "--groups", "test-zh"]
    command += ["--probabilities", str(tmp_path / "p.npz"), "--out", str(tmp_path / "out.npz")]
    monkeypatch.setattr(sys, "argv", command)
    runpy.run_path(str(SCRIPT), run_name="__main__")
    found = read_changes(tmp_path / "out.npz")
    assert float(found["temperature"]) == pytest.approx(3, abs=0.3)
    assert f"temperature {float(found['temperature']):.2f}" in capsys.readouterr().out
    for name, values in drawn.items():
        assert np.allclose(found[name], values, atol=0.02)
