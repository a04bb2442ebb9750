"""Every item needs an id of its own: whatever is known of an item is kept under it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline.corpora import Corpus

__all__ = ["count_items"]

Hashes = NDArray[np.int64]
Numbered = tuple[int, Item]


def count_items(corpus: Corpus) -> int:
    """How many items a corpus has; two of one id are refused with the places of both.

    Eight bytes are kept of an id; the texts of ids that seem to come again are looked up by
    reading the corpus once more.
    """
    kept = array("q", (hash(item.id) for item in corpus.items()))
    hashes = np.frombuffer(kept, np.int64)
    hashes.sort()
    again = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
    if not len(again):
        return len(kept)
    for number, value in enumerate(_in_order(corpus, again)):
        both = _pair(corpus, value)
        if both is not None:
            raise HyperbatonError(_refusal(corpus, *both, len(again) - number - 1))
    return len(kept)


def _in_order(corpus: Corpus, again: Hashes) -> Iterator[int]:
    """The hashes that come again, in the order of the corpus."""
    left = again
    for item in corpus.items():
        value = hash(item.id)
        if _among(value, left):
            left = left[left != value]
            yield value


def _pair(corpus: Corpus, value: int) -> tuple[Numbered, Numbered] | None:
    """The first two items of one id with this hash; None where two ids share it."""
    known: dict[str, Numbered] = {}
    for number, item in enumerate(corpus.items(), 1):
        if hash(item.id) == value:
            if item.id in known:
                return known[item.id], (number, item)
            known[item.id] = number, item
    return None


def _among(value: int, ordered: Hashes) -> bool:
    at = int(np.searchsorted(ordered, value))
    return at < len(ordered) and int(ordered[at]) == value


def _refusal(corpus: Corpus, first: Numbered, second: Numbered, others: int) -> str:
    places = [item.place or f"item {number} of {corpus.pair}" for number, item in (first, second)]
    more = f" (and {counted(others, 'other id')})" if others else ""
    return (
        f"{places[1]}: the id '{first[1].id[:80]}' of {places[0]} comes again{more}; give every "
        "item an id of its own, or remove the ids, and the items are numbered"
    )
