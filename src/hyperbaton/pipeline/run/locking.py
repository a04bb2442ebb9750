"""One process at a time in a run directory, which may be deleted, on a disk that may not obey."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from hashlib import blake2b
from pathlib import Path

from filelock import FileLock, Timeout

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import cache_folder, owned
from hyperbaton.base.remote_paths import RemotePath
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.parts import begin_making

LOCK = ".lock"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other processes out of a run directory; the lock ends with the process, however.

    A folder that was made for nothing, since the job cannot be done, is taken away again.
    """
    new = not folder.exists()
    lock = _elsewhere(folder) if isinstance(folder, RemotePath) else folder / LOCK
    lock.parent.mkdir(parents=True, exist_ok=True)
    try:
        with owned(FileLock(lock, timeout=0)):
            begin_making(folder)
            try:
                with unless_deleted(folder, lock) if lock.parent == folder else nullcontext():
                    yield
            except HyperbatonError:
                if new and lock.parent == folder and _names(folder) == [LOCK]:
                    (folder / LOCK).unlink()
                    folder.rmdir()
                raise
    except Timeout:
        raise HyperbatonError(
            f"Another process is using {folder}: wait for it, or choose another folder with --out"
        ) from None


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()] if folder.is_dir() else []


def _elsewhere(folder: RemotePath) -> Path:
    """A lock for a place that knows none: it keeps out the processes of this machine."""
    name = blake2b(str(folder).encode(), digest_size=8).hexdigest()
    return cache_folder() / "locks" / name


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn what the operating system complains of into a sentence; the run stays resumable."""
    try:
        yield
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        raise HyperbatonError(
            f"{where}{error.strerror or error}; fix that and run the same command again, "
            "which resumes the run"
        ) from error


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
        "again, which starts over; stored translations are reused"
    )
