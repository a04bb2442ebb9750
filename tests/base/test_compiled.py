"""Machine code is kept where it can be; where it cannot, it is made anew, and runs all the same."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hyperbaton

_NOWHERE_ELSE = """
from numba.core.caching import CompileResultCacheImpl as Places
Places._locator_classes = Places._locator_classes[:1]  # $NUMBA_CACHE_DIR
"""
_KERNEL = """
from hyperbaton.base.compiled import compiled

@compiled
def product(a: int, b: int) -> int:
    return a * b
"""
_RUN = "import kernel; print(kernel.product(6, 7), sum(kernel.product.stats.cache_hits.values()))"
_LITTLE_ROOM = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
"""


def _output(code: str, cache: Path, folder: Path) -> str:
    """What a process prints that keeps its machine code in this folder, or nowhere."""
    done = subprocess.run(
        [sys.executable, "-c", _NOWHERE_ELSE + code],
        env={
            **os.environ,
            "NUMBA_CACHE_DIR": str(cache),
            "PYTHONPATH": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kernel")
    (folder / "kernel.py").write_text(_KERNEL)
    return folder


@pytest.fixture(scope="module")
def filled(folder: Path) -> Path:
    """A cache that a first process has filled."""
    assert _output(_RUN, folder / "cache", folder) == "42 0\n"
    return folder / "cache"


def test_all_kernels_are_compiled_in_one_place() -> None:
    others = []
    for path in Path(hyperbaton.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "numba":
                names = {alias.name for alias in node.names}
                if names & {"njit", "jit", "vectorize", "guvectorize"}:
                    others.append(path.name)
    assert others == ["compiled.py"]


def test_no_cache_is_needed(folder: Path) -> None:
    nowhere = folder / "kernel.py" / "cache"  # beneath a file
    assert _output(_RUN, nowhere, folder) == "42 0\n"


def test_a_cache_is_used_again(folder: Path, filled: Path) -> None:
    assert _output(_RUN, filled, folder) == "42 1\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_full_disk_is_no_obstacle(folder: Path, tmp_path: Path) -> None:
    assert _output(_LITTLE_ROOM + _RUN, tmp_path / "cache", folder) == "42 0\n"


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_damaged_cache_is_written_anew(
    folder: Path, filled: Path, tmp_path: Path, ending: str
) -> None:
    cache = shutil.copytree(filled, tmp_path / "cache")
    damaged = [path for path in cache.rglob("*") if path.suffix == ending]
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:-20] + b"\x00" * 5)
    assert _output(_RUN, cache, folder) == "42 0\n"
    assert _output(_RUN, cache, folder) == "42 1\n"
