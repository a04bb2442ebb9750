"""Damaged binary files and runs: one sentence, and nothing changed without a word."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from benchmarks.fuzz_readers import Tally, _watched

from .damaged_files import FILES, DamagedFile

INPUTS = {"forged part": 120, "run.json of a run": 120}
USUAL = 300
NAMES = [file.name for file in FILES]


@pytest.fixture(params=FILES, ids=NAMES)
def file(request: pytest.FixtureRequest) -> DamagedFile:
    found: DamagedFile = request.param
    if found.name == "SentencePiece":
        pytest.importorskip("sentencepiece")
    return found


def test_good_files_are_read(file: DamagedFile, tmp_path: Path) -> None:
    assert all(file(seed, tmp_path) for seed in file.seeds)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numbers of a forger may be infinite
def test_damaged_files(
    file: DamagedFile, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever is raised but HyperbatonError fails; so does content that is another one."""
    inputs = INPUTS.get(file.name, USUAL)
    accepted = [
        file(file.input(random.Random(f"test/{file.name}/{number}")), tmp_path)
        for number in range(inputs)
    ]
    assert sum(accepted) < inputs
    assert "panicked" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("print('begin 7', flush=True); import os; os.abort()", "it ended the process (-6)"),
        ("print('begin 7', flush=True); print('end 1 0.5')", ""),
    ],
)
def test_the_input_that_ends_a_process_is_named(script: str, said: str) -> None:
    tally = Tally(0)
    with open("/dev/null", "wb") as noise:
        assert _watched([sys.executable, "-c", script], noise.fileno(), tally) == said
    assert tally.number == 7
    assert tally.accepted == (not said)
