"""What lies in a folder itself: no link that leads elsewhere is followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from hyperbaton.play.mistakes import Mistake

__all__ = ["holds_links", "inside", "open_inside"]


def inside(root: Path, *names: str) -> Path:
    """A place beneath a folder, there or not; refused where one of its steps is a link."""
    path = root
    for name in names:
        path = path / name
        if path.is_symlink():
            raise Mistake("wrong_link", name=str(path))
    return path


def holds_links(folder: Path) -> bool:
    """Whether anything in a folder, however deep, is a link."""
    return any(
        Path(where, name).is_symlink()
        for where, folders, files in os.walk(folder)
        for name in (*folders, *files)
    )


def open_inside(root: Path, *names: str) -> BinaryIO:
    """Open a regular file beneath a folder; OSError where it is none, or a step is a link.

    Each step starts from the folder that is already open: nobody can put a link in its place.
    """
    if os.open not in os.supports_dir_fd:  # Windows
        path = inside(root, *names)
        if not path.is_file():
            raise FileNotFoundError(path)
        return path.open("rb")
    *folders, last = names
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for name in folders:
        handle = _step(handle, name, os.O_DIRECTORY)
    # A pipe would have whoever opens it wait for a writer.
    handle = _step(handle, last, os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileNotFoundError(last)
    return open(handle, "rb")


def _step(folder: int, name: str, flags: int) -> int:
    """Open what has this name in an open folder, and close the folder."""
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | flags, dir_fd=folder)
    finally:
        os.close(folder)
