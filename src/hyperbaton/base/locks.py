"""Locks on files that only the process which took them can end, also when it forks."""

from __future__ import annotations

import ctypes
import os
from weakref import WeakSet

from filelock import FileLock

_known: WeakSet[FileLock] = WeakSet()


def owned(lock: FileLock) -> FileLock:
    """The same lock; a forked child that ends does not free it.

    >>> owned(FileLock("file.lock", timeout=0)).is_locked
    False
    """
    _known.add(lock)
    return lock


def _keep_inherited() -> None:
    """Never delete the locks that a fork has brought: filelock 3 would end the parent's as well."""
    for lock in _known:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(lock))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_keep_inherited)
