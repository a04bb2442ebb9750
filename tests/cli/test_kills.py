"""kill -9 through the command line: `check` refuses what is left, and the end is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.killing import killed


@pytest.mark.parametrize("workers", [0, 1])
def test_killed_it_is_no_pass_and_ends_with_the_same_bytes(tmp_path: Path, workers: int) -> None:
    *_, seen = killed(tmp_path, 2, seed=workers, items=12, workers=workers)
    assert sum(seen.statuses.values()) == seen.kills == 2
    assert seen.statuses[2]
    assert seen.whole
