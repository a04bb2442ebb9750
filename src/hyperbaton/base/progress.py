"""Progress on standard error, where a person looks on: a bar of one job, or of all stages."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

T = TypeVar("T")
PATIENCE = 1.0
"""Seconds of quiet before a bar appears."""


class Advance(Protocol):
    """Called with the number of steps done since the last call."""

    def __call__(self, steps: int = 1) -> None: ...


def bars() -> Progress:
    """Bars with count, rate and time left, which vanish when they are stopped."""
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
def progress(description: str | Callable[[], str], total: int | None = None) -> Iterator[Advance]:
    """A bar with rate and time left; call what it yields with the steps done.

    A description that is called says each time what is to be said by then.
    """
    began = time.monotonic()
    visible = sys.stderr.isatty()
    done = 0
    bar: Progress | None = None

    def advance(steps: int = 1) -> None:
        nonlocal done, bar
        done += steps
        if bar is None and visible and time.monotonic() - began >= PATIENCE:
            bar = bars()
            bar.add_task("", total=total)
            bar.start()
        if bar is not None:
            text = description if isinstance(description, str) else description()
            bar.update(bar.task_ids[0], completed=done, description=text)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()


def track(items: Iterable[T], description: str, total: int | None = None) -> Iterator[T]:
    """Pass items through and show how many went by."""
    with progress(description, total) as advance:
        for item in items:
            yield item
            advance()


class Board:
    """A bar for each stage, counted in items (of each system, where a stage has to do with one)."""

    def __init__(self, totals: Mapping[str, int], visible: bool | None = None) -> None:
        self._shown: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        if sys.stderr.isatty() if visible is None else visible:
            self._shown = bars()
            self._tasks = {
                stage: self._shown.add_task(stage, total=total) for stage, total in totals.items()
            }
            self._shown.start()

    def advance(self, stage: str, items: float) -> None:
        """So many more items are through a stage, which may have no bar."""
        if self._shown is not None and stage in self._tasks:
            self._shown.advance(self._tasks[stage], items)

    def share(self, stage: str, items: int, total: int) -> Advance:
        """What to call with single steps when so many of them make so many items."""

        def advance(steps: int = 1) -> None:
            self.advance(stage, items * steps / max(1, total))

        return advance

    def close(self) -> None:
        """Take the bars away."""
        if self._shown is not None:
            self._shown.stop()
