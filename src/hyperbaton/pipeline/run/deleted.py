"""A run directory that somebody deletes while a command works in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline.run.layout import Layout

__all__ = ["unless_deleted"]


@contextmanager
def unless_deleted(folder: Path, lock: Path) -> Iterator[None]:
    """Say in the end that the folder in which a lock is held is there no more, if so.

    Parts that were written since would be in the way of the next run: they are removed.
    """
    held = lock.stat()
    try:
        yield
        if not _is(held, lock):
            raise _sentence(folder)
    except (HyperbatonError, OSError) as error:
        if not _is(held, lock):
            raise _sentence(folder) from error
        raise
    finally:
        if not _is(held, lock):
            Layout(folder).remove_without_record()


def _is(held: os.stat_result, lock: Path) -> bool:
    """Whether the lock is the one that is held: as long as it is, no other has its number."""
    try:
        return os.path.samestat(held, lock.stat())
    except OSError:
        return False


def _sentence(folder: Path) -> HyperbatonError:
    return HyperbatonError(
        f"{folder} was deleted or moved while this command was running: run the same command "
        "again, which starts it anew; stored translations are used again"
    )
