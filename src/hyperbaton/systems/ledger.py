"""The answers of one job: in memory for the caller, in the store for good."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable

from hyperbaton.progress import Advance
from hyperbaton.systems.store import Store
from hyperbaton.systems.system import Translation

__all__ = ["Ledger", "fold"]

_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_SECONDS_BETWEEN_WRITES = 0.5


def fold(text: str) -> str:
    r"""The text in one line.

    >>> fold("Ein Haus,\r\nein Baum.\n")
    'Ein Haus, ein Baum.'
    """
    return _BREAKS.sub(" ", text).strip() if _BREAKS.search(text) else text


class Ledger:
    """Collects answers, writes them to the store in whole batches, counts faults in a row."""

    def __init__(self, signature: str, store: Store | None, advance: Advance) -> None:
        self._signature = signature
        self._store = store
        self._advance = advance
        self._unsaved: dict[str, Translation] = {}
        self._saved_at = time.monotonic()
        self._seen = store.changes() if store else 0
        self._in_company = False
        self.answers: dict[str, Translation] = {}
        self.faults_in_a_row = 0

    def __contains__(self, text: str) -> bool:
        return text in self.answers

    def recall(self, texts: Iterable[str], faults: bool = True) -> None:
        """Take from the store what is there; faults only if they are to stand."""
        if self._store is None:
            return
        found = self._store.lookup(self._signature, (t for t in texts if t not in self.answers))
        known = {t: a for t, a in found.items() if faults or a.text is not None}
        self.answers |= known
        self._advance(len(known))

    def recall_news(self, texts: Iterable[str]) -> None:
        """As `recall`, once another process has written: it may work on the same texts."""
        if self._store is None:
            return
        self._in_company = self._in_company or self._store.changes() != self._seen
        if self._in_company:
            self.recall(texts, faults=False)

    def keep(self, text: str, answer: Translation) -> None:
        """Enter what came back for a text."""
        answer = _sound(answer)
        self.faults_in_a_row = self.faults_in_a_row + 1 if answer.text is None else 0
        self.answers[text] = answer
        self._unsaved[text] = answer
        if time.monotonic() - self._saved_at > _SECONDS_BETWEEN_WRITES:
            self.flush()

    def set(self, text: str, answer: Translation) -> None:
        """Enter an answer that the system did not give; the store never sees it."""
        self.answers[text] = answer
        self._advance(1)

    def flush(self) -> None:
        """Write what is not yet in the store."""
        if self._unsaved and self._store is not None:
            self._store.save(self._signature, self._unsaved)
        self._advance(len(self._unsaved))
        self._unsaved = {}
        self._saved_at = time.monotonic()


def _sound(answer: Translation) -> Translation:
    """The answer as one line of valid Unicode, or a fault."""
    if answer.text is None:
        return Translation(None, fold(answer.fault) or "no translation and no reason given")
    if not is_unicode(answer.text):
        return Translation(None, "returned text that is not valid Unicode")
    return Translation(fold(answer.text))


def is_unicode(text: str) -> bool:
    """Whether the text can be written as UTF-8 (a lone surrogate cannot)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
