"""The progress of all stages at once, on standard error, where a person looks on."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from hyperbaton.base.progress import Advance


class Board:
    """A bar for each stage, counted in items (of each system, where a stage has to do with one)."""

    def __init__(self, totals: Mapping[str, int], visible: bool | None = None) -> None:
        self._shown: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        if sys.stderr.isatty() if visible is None else visible:
            from hyperbaton.base.progress import bars

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
