"""Reports, each at an address of its own: one that came from elsewhere may tell it to anybody."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.play.guard import REPORT_POLICY, REPORTS
from hyperbaton.play.inside import open_inside
from hyperbaton.play.streaming import Endpoint

__all__ = ["Shelf", "report_of"]


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
