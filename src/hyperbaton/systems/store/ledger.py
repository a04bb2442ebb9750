"""The answers of one job: in memory for the caller, in the store for good."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Sequence

from hyperbaton.base.database import Unusable
from hyperbaton.base.progress import Advance
from hyperbaton.systems.faults import sound
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translation

__all__ = ["Ledger"]

_SHARE_OF_WRITING = 0.05
"""Of the time: what a server was paid for is soon safe, and a fast system is not slowed down."""
_SECONDS_BEFORE_TELLING = 10.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5

_log = logging.getLogger(__name__)


class Ledger:
    """Collects answers, writes them to the store in whole batches, counts faults in a row."""

    def __init__(
        self,
        signature: str,
        store: Store | None,
        advance: Advance,
        retry: bool = False,
        longest_wait: float = math.inf,
    ) -> None:
        self._signature = signature
        self._store = store
        self._advance = advance
        self._retry = retry
        self._wait_left = longest_wait
        self._unsaved: dict[str, Translation] = {}
        self._saved_at = time.monotonic()
        self._save_after = 0.0
        self._seen = store.changes() if store else 0
        self._in_company = False
        self.answers: dict[str, Translation] = {}
        self.faults_in_a_row = 0

    def __contains__(self, text: str) -> bool:
        return text in self.answers

    def recall(self, texts: Iterable[str]) -> None:
        """Take from the store what is there; faults only where they are not to be tried again."""
        if self._store is None:
            return
        found = self._store.lookup(self._signature, (t for t in texts if t not in self.answers))
        known = {t: a for t, a in found.items() if not self._retry or a.text is not None}
        self.answers |= known
        self._advance(len(known))

    def claim(self, texts: Sequence[str]) -> list[str]:
        """Those of these texts that are ours to send: nobody has answered or claimed them.

        After the longest wait, those that another process has claimed are too.
        """
        if self._store is not None and self._store.writable:
            try:
                ours = self._store.claim(self._signature, texts)
            except Unusable as error:
                self._store.give_up(error)
                return list(texts)
            texts = [text for text in texts if text in ours or self._wait_left <= 0]
            self._recall_news(texts)
        return [text for text in texts if text not in self.answers]

    def _recall_news(self, texts: Iterable[str]) -> None:
        """As `recall`, once another process has written: it may work on the same texts."""
        if self._store is not None:
            self._in_company = self._in_company or self._store.changes() != self._seen
            if self._in_company:
                self.recall(texts)

    def wait(self, texts: Sequence[str], glance: Callable[[], None]) -> list[str]:
        """Wait for another process that has claimed texts; what it did not answer is free now.

        `glance` is called meanwhile, and may raise what ends the job.
        """
        began = time.monotonic()
        pause = _SHORTEST_PAUSE
        told = False
        while self._store is not None:
            self.recall(texts)
            left = [text for text in texts if text not in self.answers]
            if len(self._store.claimed_elsewhere(self._signature, left)) < len(texts):
                return left
            if self._wait_left <= 0:
                return left
            if not told and time.monotonic() - began > _SECONDS_BEFORE_TELLING:
                _log.warning(
                    "hyperbaton: waiting for another process that is translating %d of these texts",
                    len(left),
                )
                told = True
            glance()
            before = time.monotonic()
            time.sleep(min(pause, self._wait_left))
            self._wait_left -= time.monotonic() - before
            pause = min(2 * pause, _LONGEST_PAUSE)
        return list(texts)

    def keep(self, text: str, answer: Translation) -> None:
        """Enter what came back for a text."""
        answer = sound(answer)
        self.faults_in_a_row = self.faults_in_a_row + 1 if answer.text is None else 0
        self.answers[text] = answer
        self._unsaved[text] = answer
        if time.monotonic() - self._saved_at >= self._save_after:
            self.flush()

    def set(self, text: str, answer: Translation) -> None:
        """Enter an answer that the system did not give; the store never sees it."""
        self.answers[text] = answer
        self._advance(1)

    def close(self) -> None:
        """Write what is not yet in the store, and leave to others what has no answer."""
        self.flush()
        if self._store is not None and self._store.writable:
            try:
                self._store.release()
            except Unusable as error:
                self._store.give_up(error)

    def flush(self) -> None:
        """Write what is not yet in the store."""
        began = time.monotonic()
        if self._unsaved and self._store is not None and self._store.writable:
            try:
                self._store.save(self._signature, self._unsaved)
            except Unusable as error:
                self._store.give_up(error)
        self._advance(len(self._unsaved))
        self._unsaved = {}
        self._saved_at = time.monotonic()
        self._save_after = (self._saved_at - began) / _SHARE_OF_WRITING
