"""Which parts were made here: those need no trial before they are read (see `parquet`)."""

from __future__ import annotations

import math
import multiprocessing
import time
from pathlib import Path

from hyperbaton.base.remote_paths import RemotePath

__all__ = ["become_helper", "begin_making", "is_foreign"]

_COARSE = 1.0
"""Seconds by which the clock of a file system may be behind."""
_made_since: dict[Path, float] = {}
"""Folders in which this process has parts made, and since when."""
_is_helper = False


def begin_making(folder: Path) -> None:
    """From now on, whatever is new in this folder was made by this process and its helpers."""
    _made_since.setdefault(folder.absolute(), time.time() - _COARSE)


def become_helper() -> None:
    """This process makes parts for another one, which says so when it dies of one."""
    global _is_helper
    _is_helper = True


def is_foreign(path: Path) -> bool:
    """Whether a part may come from elsewhere, and this process must not die of it."""
    if _is_helper or multiprocessing.parent_process() is not None:
        return False
    if isinstance(path, RemotePath):
        return True
    since = (_made_since[f] for f in path.absolute().parents if f in _made_since)
    return path.stat().st_ctime < next(since, math.inf)
