"""Translate many texts: each once, in batches by length; a fault costs one text, a stop nothing."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperbaton.base.database import Unusable
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.systems.batching import BatchSize, is_out_of_memory, take
from hyperbaton.systems.faults import fold, is_unicode, sound, translation_of
from hyperbaton.systems.store.store import Store, recall_terms, remember_terms
from hyperbaton.systems.system import BatchFault, Before, OtherTerms, Translation, Translator

if TYPE_CHECKING:
    from hyperbaton.base.progress import Advance

PATIENCE = 20
"""Faults in a row, on single texts, after which a system is taken for dead."""
WATCHED = 2.0
"""Seconds that a command waits for another process while somebody watches."""
_SHARE_OF_WRITING = 0.05
"""Of the time: what a server was paid for is soon safe, and a fast system is not slowed down."""
_SECONDS_BEFORE_TELLING = 10.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5

_log = logging.getLogger(__name__)


def translate_all(
    translator: Translator,
    texts: Sequence[str],
    *,
    store: Store | None = None,
    retry_failed: bool = False,
    advance: Advance | None = None,
    longest_wait: float = math.inf,
    before: Before = lambda texts: None,
    apart: str = "",
    signed: bool = False,
) -> list[Translation]:
    """Translate texts, in order; what is in the store is not translated again.

    Each batch is written to the store when it is done, so a job that was stopped at any moment
    can be resumed. Texts that failed before stay failed unless `retry_failed`; what another
    process is translating into the same store is waited for, not translated twice, unless that
    takes longer than `longest_wait` seconds. An answer that is empty though its text has words, or
    far too long, is a fault here; the store keeps it as it came. `before` may end the job; what
    `apart` adds to the translator's signature keeps the answers apart in the store. A server that
    refuses how it is asked is asked on its own terms, which the store remembers; where the
    translator's signature is `signed` already, OtherTerms is raised then.
    """
    distinct = list(dict.fromkeys(texts))
    bar = nullcontext(advance) if advance else _bar(len(distinct))
    kept = store if translator.stored else None
    asked_for = translator.signature
    if not signed:
        recall_terms(translator, kept)
    with bar as report:
        while True:
            job = _Job(translator, apart, kept, report, retry_failed, longest_wait, before)
            try:
                job.run(distinct)
                break
            except OtherTerms as other:
                # Another system from here on: what the first one is known for stays apart.
                translator.agree(other.terms)
                report(-job.told)
                remember_terms(asked_for, other.terms, kept)
                if signed:
                    raise
            finally:
                job.close()
    return [translation_of(text, job.answers[text]) for text in texts]


def _bar(texts: int) -> AbstractContextManager[Advance]:
    """What shows how many texts are done, where nobody else does."""
    from hyperbaton.base.progress import progress

    return progress("translating", texts)


@dataclass(frozen=True)
class _Failure:
    """Why a batch failed; unlike an exception it keeps no tensors alive."""

    reason: str
    memory: bool = False


class _Job:
    """One call of `translate_all`: its answers in memory, and in the store for good."""

    def __init__(
        self,
        translator: Translator,
        apart: str,
        store: Store | None,
        advance: Advance,
        retry: bool,
        longest_wait: float,
        before: Before,
    ) -> None:
        asking = translator.asking(before)
        self._translator = asking or translator
        self._before: Before = before
        self._tell: Before = before if asking is None else lambda texts: None
        self._signature = f"{translator.signature}{apart}"
        self._store = store
        self._report = advance
        self._retry = retry
        self._wait_left = longest_wait
        self._size = BatchSize(self._translator)
        self._unsaved: dict[str, Translation] = {}
        self._saved_at = time.monotonic()
        self._save_after = 0.0
        self._seen = store.changes() if store else 0
        self._in_company = False
        self._faults_in_a_row = 0
        self.answers: dict[str, Translation] = {}
        self.told = 0

    def run(self, texts: Iterable[str]) -> None:
        """Answer each of these texts, which are distinct."""
        for text in texts:  # no system is asked for blank lines and broken Unicode
            if not text.strip():
                self._set(text, Translation(""))
            elif not is_unicode(text):
                self._set(text, Translation(None, "the source is not valid Unicode"))
        self._recall(texts)
        todo = [text for text in texts if text not in self.answers]
        # The longest first: if memory is short it shows at once, and the time left shrinks.
        todo.sort(key=self._translator.cost, reverse=True)
        while elsewhere := self._translate(todo):
            todo = self._wait(elsewhere)

    def _translate(self, todo: Sequence[str]) -> list[str]:
        """Translate what no other process has claimed; what one has is given back."""
        elsewhere: dict[str, None] = {}
        start = 0
        while True:
            while start < len(todo) and (todo[start] in self.answers or todo[start] in elsewhere):
                start += 1
            if start == len(todo):
                return [text for text in elsewhere if text not in self.answers]
            if self._seems_dead and not self._is_alive(todo):
                self._leave(todo)
                return []
            end = take(todo, start, self._translator)
            free = [text for text in todo[start:end] if text not in self.answers]
            chunk = self._claim(free)
            ours = set(chunk)
            elsewhere |= dict.fromkeys(t for t in free if t not in self.answers and t not in ours)
            failure = self._attempt(chunk) if chunk else None
            if failure is None:
                self._size.fitted()
            elif not (failure.memory and self._size.shrink(chunk[0])):
                self._isolate(chunk, failure)
            self._flush()

    def _attempt(self, texts: Sequence[str]) -> _Failure | None:
        """Translate a chunk as far as it goes, and say what stopped it."""
        results = None
        try:
            self._tell(texts)
            results = self._translator.stream(texts)
            for position, answer in results:
                self._keep(texts[position], answer)
                if isinstance(results, Generator):  # others have all their results already
                    self._tell(())
                    if self._seems_dead:
                        return None
        except (HyperbatonError, OtherTerms):
            raise
        except Exception as error:
            return _Failure(_reason(error), is_out_of_memory(error))
        finally:
            if isinstance(results, Generator):
                results.close()
        missing = sum(text not in self.answers for text in texts)
        if missing and not self._seems_dead:
            returned = counted(len(texts) - missing, "translation")
            return _Failure(f"returned {returned} for {counted(len(texts), 'text')}")
        return None

    def _isolate(self, texts: Sequence[str], failure: _Failure) -> None:
        """Cut a batch that failed until the texts to blame stand alone; the others come through."""
        left = [text for text in texts if text not in self.answers]
        if len(left) == 1 and len(texts) == 1:
            self._keep(left[0], Translation(None, failure.reason))
            return
        middle = (len(left) + 1) // 2
        for half in (left[:middle], left[middle:]):
            if not half or self._seems_dead:
                return
            again = self._attempt(half)
            self._flush()
            if again is not None:
                self._isolate(half, again)

    @property
    def _seems_dead(self) -> bool:
        return self._faults_in_a_row >= PATIENCE

    def _is_alive(self, todo: Sequence[str]) -> bool:
        """Whether the shortest text left goes through: the longest may fail for being long."""
        shortest = next(text for text in reversed(todo) if text not in self.answers)
        if not self._claim([shortest]):
            return True  # another process is busy with it, and will know
        failure = self._attempt([shortest])
        if failure is not None:
            self._keep(shortest, Translation(None, failure.reason))
        return self._faults_in_a_row == 0

    def _leave(self, texts: Iterable[str]) -> None:
        """Give up on the rest, which the store does not hold as failed: the next run tries it."""
        self._flush()
        last = next(a.fault for a in reversed(self.answers.values()) if a.text is None)
        for text in texts:
            if text not in self.answers:
                fault = f"not tried, since {PATIENCE} texts in a row had failed; the last: {last}"
                self._set(text, Translation(None, fault))

    def _recall(self, texts: Iterable[str]) -> None:
        """Take from the store what is there; faults only where they are not to be tried again."""
        if self._store is None:
            return
        stored = self._store.lookup(self._signature, (t for t in texts if t not in self.answers))
        known = {t: a for t, a in stored.items() if not self._retry or a.text is not None}
        self.answers |= known
        self._advance(len(known))

    def _claim(self, texts: Sequence[str]) -> list[str]:
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
            # Once another process has written, it may have answered the same texts.
            self._in_company = self._in_company or self._store.changes() != self._seen
            if self._in_company:
                self._recall(texts)
        return [text for text in texts if text not in self.answers]

    def _wait(self, texts: Sequence[str]) -> list[str]:
        """Wait for another process that has claimed texts; what it did not answer is free now."""
        began = time.monotonic()
        pause = _SHORTEST_PAUSE
        announced = False
        while self._store is not None:
            self._recall(texts)
            left = [text for text in texts if text not in self.answers]
            if len(self._store.claimed_elsewhere(self._signature, left)) < len(texts):
                return left
            if self._wait_left <= 0:
                return left
            if not announced and time.monotonic() - began > _SECONDS_BEFORE_TELLING:
                _log.warning(
                    "hyperbaton: waiting for another process that is translating %d of these texts",
                    len(left),
                )
                announced = True
            self._before(())
            paused = time.monotonic()
            time.sleep(min(pause, self._wait_left))
            self._wait_left -= time.monotonic() - paused
            pause = min(2 * pause, _LONGEST_PAUSE)
        return list(texts)

    def _keep(self, text: str, answer: Translation) -> None:
        """Enter what came back for a text."""
        answer = sound(answer)
        self._faults_in_a_row = self._faults_in_a_row + 1 if answer.text is None else 0
        self.answers[text] = answer
        self._unsaved[text] = answer
        if time.monotonic() - self._saved_at >= self._save_after:
            self._flush()

    def _advance(self, steps: int) -> None:
        self.told += steps
        self._report(steps)

    def _set(self, text: str, answer: Translation) -> None:
        """Enter an answer that the system did not give; the store never sees it."""
        self.answers[text] = answer
        self._advance(1)

    def _flush(self) -> None:
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

    def close(self) -> None:
        """Write what is not yet in the store, and leave to others what has no answer."""
        self._flush()
        if self._store is not None and self._store.writable:
            try:
                self._store.release()
            except Unusable as error:
                self._store.give_up(error)


def _reason(error: Exception) -> str:
    message = fold(str(error))[:300]
    if isinstance(error, BatchFault) and message:
        return message
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
