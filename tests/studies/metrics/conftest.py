"""Metrics of which it is known what they see."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.studies.metrics import planted


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted metrics, as an installed package brings them."""
    folder = tmp_path / "site"
    info = folder / "planted-1.0.dist-info"
    info.mkdir(parents=True)
    shutil.copy(planted.__file__, folder / "planted_metrics.py")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(planted.ENTRY_POINTS)
    monkeypatch.syspath_prepend(folder)
