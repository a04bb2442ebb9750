"""Reports, each at an address of its own: one that came from elsewhere may tell it to anybody."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.play.guard import REPORT_POLICY, REPORTS
from hyperbaton.play.mistakes import Mistake
from hyperbaton.play.requests import Endpoint


class Shelf:
    """Files of one folder by a random word, which is all that their address holds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._words: dict[tuple[str, ...], str] = {}
        self._places: dict[str, tuple[str, ...]] = {}

    def address(self, *names: str) -> str:
        """Where a file beneath the folder is found while the page runs."""
        word = self._words.setdefault(names, secrets.token_urlsafe(16))
        self._places[word] = names
        return REPORTS + word

    def open(self, word: str) -> BinaryIO:
        """The file of an address; OSError where there is none."""
        if word not in self._places:
            raise FileNotFoundError(word)
        return open_inside(self._folder, *self._places[word])


def report_of(shelf: Shelf) -> Endpoint:
    """A report as it is, kept apart from the page."""

    async def report(request: Request) -> Response:
        try:
            file = await run_in_threadpool(shelf.open, request.path_params["word"])
        except (OSError, HyperbatonError):
            raise HTTPException(404, "there is no such report") from None
        headers = {"Content-Security-Policy": REPORT_POLICY}
        return StreamingResponse(_chunks(file), media_type="text/html", headers=headers)

    return report


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while chunk := file.read(1 << 18):
            yield chunk


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
