"""Progress on standard error: only where a person looks on, and only when it takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["Advance", "progress", "track"]

T = TypeVar("T")
PATIENCE = 1.0
"""Seconds of quiet before a bar appears."""


class Advance(Protocol):
    """Called with the number of steps done since the last call."""

    def __call__(self, steps: int = 1) -> None: ...


class _Bar:
    def __init__(self, description: str, total: int | None) -> None:
        self._description = description
        self._total = total
        self._done = 0
        self._began = time.monotonic()
        self._shown: Progress | None = None
        self._visible = sys.stderr.isatty()

    def __call__(self, steps: int = 1) -> None:
        self._done += steps
        if not self._visible:
            return
        if self._shown is None:
            if time.monotonic() - self._began < PATIENCE:
                return
            self._shown = _rich()
            self._task = self._shown.add_task(self._description, total=self._total)
            self._shown.start()
        self._shown.update(self._task, completed=self._done)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.stop()


def _rich() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


@contextmanager
def progress(description: str, total: int | None = None) -> Iterator[Advance]:
    """A bar with rate and time left; call what it yields with the steps done."""
    bar = _Bar(description, total)
    try:
        yield bar
    finally:
        bar.close()


def track(items: Iterable[T], description: str, total: int | None = None) -> Iterator[T]:
    """Pass items through and show how many went by."""
    with progress(description, total) as advance:
        for item in items:
            yield item
            advance()
