"""The store of translations in a cluster: kept by one process, since SQLite serves one machine."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hyperbaton.base.database import Unusable
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.store.store import Store, working_store
from hyperbaton.systems.system import Translation

if TYPE_CHECKING:
    from ray.actor import ActorHandle

_log = logging.getLogger(__name__)


class Reply(NamedTuple):
    """The answer of the store to a worker."""

    value: object
    complaint: str | None = None
    survivable: bool = True
    """Whether the worker can do without the store."""
    warnings: Sequence[str] = ()
    """What nobody would read in the process of the library."""


class Library:
    """Opens the store once for each reader, so that the claims of one that is lost end."""

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._stores: dict[str, Store] = {}

    def ask(self, reader: str, method: str, *arguments: object) -> Reply:
        """What a method of the store gives, or its complaint, and what it warns of."""
        with warnings_heard() as heard:
            try:
                if reader not in self._stores:
                    self._stores[reader] = working_store(self._directory)
                store = self._stores[reader]
                return Reply(getattr(store, method)(*arguments), warnings=heard)
            except HyperbatonError as error:
                return Reply(None, str(error), isinstance(error, Unusable), heard)

    def forget(self, reader: str) -> None:
        """Close what a reader had open, and end its claims."""
        store = self._stores.pop(reader, None)
        if store is not None:
            store.close()

    def close(self) -> None:
        """Close the store."""
        for reader in list(self._stores):
            self.forget(reader)


class RemoteStore(Store):
    """The store as a worker sees it: every question goes to the library."""

    def __init__(self, library: ActorHandle, reader: str) -> None:
        self._library = library
        self._reader = reader
        self.writable = True

    def _answer(self, method: str, *arguments: object) -> Any:
        import ray

        asked = self._library.ask.remote(self._reader, method, *arguments)
        try:
            reply: Reply = ray.get(asked)
        except ray.exceptions.RayActorError:
            raise HyperbatonError(
                "the process that keeps the store of translations was killed repeatedly, "
                "often because memory ran out, and nothing is lost: run the same command again, "
                "which resumes the run"
            ) from None
        for warning in reply.warnings:
            _log.warning("%s", warning)
        if reply.complaint is not None:
            raise (Unusable if reply.survivable else HyperbatonError)(reply.complaint)
        return reply.value

    def lookup(self, signature: str, texts: Iterable[str]) -> dict[str, Translation]:
        """What is stored for these texts."""
        found: dict[str, Translation] = self._answer("lookup", signature, list(texts))
        return found

    def save(
        self, signature: str, answers: Mapping[str, Translation], replace: bool = False
    ) -> None:
        """Keep these answers."""
        self._answer("save", signature, dict(answers), replace)

    def claim(self, signature: str, texts: Iterable[str]) -> set[str]:
        """Claim texts before they are sent."""
        taken: set[str] = self._answer("claim", signature, list(texts))
        return taken

    def claimed_elsewhere(self, signature: str, texts: Iterable[str]) -> set[str]:
        """Those of these texts that another worker is translating."""
        held: set[str] = self._answer("claimed_elsewhere", signature, list(texts))
        return held

    def release(self) -> None:
        """End all claims of this worker."""
        self._answer("release")

    def changes(self) -> int:
        """A number that changes when another worker has written."""
        return int(self._answer("changes"))

    def close(self) -> None:
        """Nothing is open here."""


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
