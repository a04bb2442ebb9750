"""Skipped tests are summed up by reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.skips import reason_counts

ROOT = Path(__file__).parent.parent


def test_reasons_are_counted_and_the_most_frequent_is_first() -> None:
    reasons = [
        "Skipped: could not import 'torch': No module named 'torch'",
        "Skipped: needs ../shared",
        "Skipped: could not import 'torch.nn': No module named 'torch'",
        "Skipped: could not import 'ufal.udpipe': No module named 'ufal'",
        "unable to import module PosixPath('/a/one.py')",
        "unable to import module PosixPath('/a/two.py')",
    ]
    assert reason_counts(reasons) == [
        ("examples of a module that needs an optional package", 2),
        ("torch is not installed", 2),
        ("needs ../shared", 1),
        ("ufal is not installed", 1),
    ]


def test_a_run_ends_with_the_reasons_and_lists_no_skipped_test(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "from tests.skips import pytest_terminal_summary\n", encoding="utf-8"
    )
    (tmp_path / "test_few.py").write_text(
        "import pytest\n\n\n"
        "@pytest.mark.parametrize('_', range(3))\n"
        "def test_gpu(_: int) -> None:\n    pytest.skip('no GPU')\n\n\n"
        "def test_module() -> None:\n    pytest.importorskip('no_such_package.part')\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-c", str(tmp_path / "none.ini")]
    (tmp_path / "none.ini").write_text("[pytest]\n", encoding="utf-8")
    done = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "    3  no GPU\n    1  no_such_package is not installed\n" in done.stdout
    assert "SKIPPED" not in done.stdout
