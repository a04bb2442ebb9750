"""What a job of translation comes to before it is begun."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hyperbaton.systems.store.store import Store, recall_terms
from hyperbaton.systems.system import Translator


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
    stored = {}
    recall_terms(translator, store)
    if store is not None and translator.stored:
        stored = store.lookup(translator.signature, distinct)
    failed = sum(answer.text is None for answer in stored.values())
    to_send = tuple(
        text
        for text in distinct
        if text.strip() and (text not in stored or (retry_failed and stored[text].text is None))
    )
    return Survey(count, len(distinct), len(stored) - failed, failed, to_send)
