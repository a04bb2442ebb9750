"""`play`, two studies and `translate` on one cache, killed and begun again: nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.systems.stress import Stress


def test_four_commands_share_a_cache_and_lose_nothing(tmp_path: Path) -> None:
    """Bounded by counts; `benchmarks/store_stress.py` does the same for minutes."""
    pytest.importorskip("uvicorn")
    stress = Stress(tmp_path, lines=15, kills=1)
    stress.run(lambda turn: turn < 1)
    assert stress.check() >= 45
    assert stress.counts["translate done"] == 1
    assert stress.counts["study done"] == 2
    assert stress.counts["moves"] == 5
