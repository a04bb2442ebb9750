"""Translating many texts: each once, in batches by length, past every fault, ready to resume."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.progress import Advance, progress
from hyperbaton.base.wording import counted
from hyperbaton.systems.batching import BatchSize, is_out_of_memory, take
from hyperbaton.systems.faults import fold, is_unicode, translation_of
from hyperbaton.systems.store.ledger import Ledger
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import BatchFault, Translation, Translator

__all__ = ["WATCHED", "Survey", "survey", "translate_all"]

PATIENCE = 20
"""Faults in a row, on single texts, after which a system is taken for dead."""
WATCHED = 2.0
"""Seconds that a command waits for another process while somebody watches."""


@dataclass(frozen=True)
class _Failure:
    """Why a batch failed; unlike an exception it keeps no tensors alive."""

    reason: str
    memory: bool = False


@dataclass(frozen=True)
class Survey:
    """What a job comes to before it is begun."""

    texts: int
    distinct: int
    stored: int
    """Distinct texts whose translation is in the store."""
    failed: int
    """Distinct texts that are in the store as failed."""
    to_send: tuple[str, ...]


def translate_all(
    translator: Translator,
    texts: Sequence[str],
    *,
    store: Store | None = None,
    retry_failed: bool = False,
    advance: Advance | None = None,
    longest_wait: float = math.inf,
) -> list[Translation]:
    """Translate texts, in order; what is in the store is not translated again.

    Each batch is written to the store when it is done, so a job that was stopped at any moment
    can be resumed. Texts that failed before stay failed unless `retry_failed`; what another
    process is translating into the same store is waited for, not translated twice, unless that
    takes longer than `longest_wait` seconds. An answer that is empty though its text has words, or
    far too long, is a fault here; the store keeps it as it came.
    """
    distinct = list(dict.fromkeys(texts))
    bar = nullcontext(advance) if advance else progress("translating", len(distinct))
    with bar as report:
        kept = store if translator.stored else None
        ledger = Ledger(translator.signature, kept, report, retry_failed, longest_wait)
        _enter_trivial(distinct, ledger)
        ledger.recall(distinct)
        todo = [text for text in distinct if text not in ledger]
        # The longest first: if memory is short it shows at once, and the time left shrinks.
        todo.sort(key=translator.cost, reverse=True)
        size = BatchSize(translator)
        try:
            while elsewhere := _work(translator, todo, ledger, size):
                todo = ledger.wait(elsewhere, translator.glance)
        finally:
            ledger.close()
    return [translation_of(text, ledger.answers[text]) for text in texts]


def survey(
    translator: Translator,
    texts: Iterable[str],
    *,
    store: Store | None = None,
    retry_failed: bool = False,
) -> Survey:
    """Count what `translate_all` would do, without doing it."""
    count = 0
    distinct: dict[str, None] = {}
    for text in texts:
        count += 1
        distinct[text] = None
    held = {}
    if store is not None and translator.stored:
        held = store.lookup(translator.signature, distinct)
    failed = sum(answer.text is None for answer in held.values())
    to_send = tuple(
        text
        for text in distinct
        if text.strip() and (text not in held or (retry_failed and held[text].text is None))
    )
    return Survey(count, len(distinct), len(held) - failed, failed, to_send)


def _enter_trivial(texts: Iterable[str], ledger: Ledger) -> None:
    """Answer what no system is to be asked: blank lines and broken Unicode."""
    for text in texts:
        if not text.strip():
            ledger.set(text, Translation(""))
        elif not is_unicode(text):
            ledger.set(text, Translation(None, "the source is not valid Unicode"))


def _work(
    translator: Translator, todo: Sequence[str], ledger: Ledger, size: BatchSize
) -> list[str]:
    """Translate what no other process has claimed; what one has is given back."""
    elsewhere: dict[str, None] = {}
    start = 0
    while True:
        while start < len(todo) and (todo[start] in ledger or todo[start] in elsewhere):
            start += 1
        if start == len(todo):
            return [text for text in elsewhere if text not in ledger]
        if ledger.faults_in_a_row >= PATIENCE and not _is_alive(translator, todo, ledger):
            _leave(todo, ledger)
            return []
        free = [text for text in todo[start : take(todo, start, translator)] if text not in ledger]
        chunk = ledger.claim(free)
        ours = set(chunk)
        elsewhere |= dict.fromkeys(t for t in free if t not in ledger and t not in ours)
        failure = _attempt(translator, chunk, ledger) if chunk else None
        if failure is None:
            size.fitted()
        elif not (failure.memory and size.shrink(chunk[0])):
            _isolate(translator, chunk, failure, ledger)
        ledger.flush()


def _attempt(translator: Translator, texts: Sequence[str], ledger: Ledger) -> _Failure | None:
    """Translate a chunk as far as it goes, and say what stopped it."""
    try:
        results = translator.stream(texts)
        for position, answer in results:
            ledger.keep(texts[position], answer)
            if ledger.faults_in_a_row >= PATIENCE and isinstance(results, Generator):
                results.close()
    except HyperbatonError:
        raise
    except Exception as error:
        return _Failure(_reason(error), is_out_of_memory(error))
    missing = sum(text not in ledger for text in texts)
    if missing and ledger.faults_in_a_row < PATIENCE:
        returned = counted(len(texts) - missing, "translation")
        return _Failure(f"returned {returned} for {counted(len(texts), 'text')}")
    return None


def _isolate(
    translator: Translator, texts: Sequence[str], failure: _Failure, ledger: Ledger
) -> None:
    """Cut a batch that failed until the texts to blame stand alone; the others come through."""
    left = [text for text in texts if text not in ledger]
    if len(left) == 1 and len(texts) == 1:
        ledger.keep(left[0], Translation(None, failure.reason))
        return
    middle = (len(left) + 1) // 2
    for half in (left[:middle], left[middle:]):
        if not half or ledger.faults_in_a_row >= PATIENCE:
            return
        again = _attempt(translator, half, ledger)
        ledger.flush()
        if again is not None:
            _isolate(translator, half, again, ledger)


def _is_alive(translator: Translator, todo: Sequence[str], ledger: Ledger) -> bool:
    """Whether the shortest text left goes through: the longest may fail for being long."""
    shortest = next(text for text in reversed(todo) if text not in ledger)
    if not ledger.claim([shortest]):
        return True  # another process is busy with it, and will know
    failure = _attempt(translator, [shortest], ledger)
    if failure is not None:
        ledger.keep(shortest, Translation(None, failure.reason))
    return ledger.faults_in_a_row == 0


def _leave(texts: Iterable[str], ledger: Ledger) -> None:
    """Give up on the rest, which the store does not hold as failed: the next run tries it."""
    ledger.flush()
    last = next(a.fault for a in reversed(ledger.answers.values()) if a.text is None)
    for text in texts:
        if text not in ledger:
            fault = f"not tried, since {PATIENCE} texts in a row had failed; the last: {last}"
            ledger.set(text, Translation(None, fault))


def _reason(error: Exception) -> str:
    message = fold(str(error))[:300]
    if isinstance(error, BatchFault) and message:
        return message
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
