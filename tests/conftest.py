"""Settings of all tests, and the faults that several rooms share."""

from __future__ import annotations

import gc
import itertools
import os
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from tests.browser import all_windows, browser, windows
from tests.detectors.plain import plain_detectors
from tests.skips import pytest_terminal_summary

__all__ = [
    "all_windows",
    "browser",
    "jumping_clock",
    "plain_detectors",
    "pytest_terminal_summary",
    "windows",
]

# Hundreds of commands are started here: each would compile the whole package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Several processes run tests: with threads for every core each, they would wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")

# A busy machine is not a slow program: how long an example takes is no property of the code.
settings.register_profile("hyperbaton", deadline=None)
settings.load_profile("hyperbaton")


gc.disable()  # until all is loaded: none of it is garbage


LONGEST = {"test_kill.py", "test_kills.py", "test_readme.py", "test_printed_commands.py"}
"""Files of tests that take many seconds each."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first: at the end, all processes but one would wait for it."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """What is loaded stays: no collection of garbage looks through it again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """A file of tests has no examples: it is not searched for them."""
    found = yield
    tests = file_path.name.startswith("test_")
    return [one for one in found if not (tests and isinstance(one, DoctestModule))]


@pytest.fixture(scope="session", autouse=True)
def _quick_disk() -> Iterator[None]:
    """Nothing is waited for until it is on the disk: no test cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture
def jumping_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock on the wall leaps by decades, back and forth, at each look."""
    now = time.time()
    years = itertools.cycle((0, 40, -50, 7, -1, 1_000_000))
    monkeypatch.setattr(time, "time", lambda: now + next(years) * 365 * 86_400)
