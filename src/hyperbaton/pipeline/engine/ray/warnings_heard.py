"""What is warned of in a process whose standard error nobody reads, to be said elsewhere."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["warnings_heard"]


class _Heard(logging.Handler):
    """Keeps warnings, which on another machine nobody would read."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def warnings_heard() -> Iterator[list[str]]:
    """The warnings of the block, as they come."""
    logger, heard = logging.getLogger("hyperbaton"), _Heard()
    logger.addHandler(heard)
    try:
        yield heard.messages
    finally:
        logger.removeHandler(heard)
