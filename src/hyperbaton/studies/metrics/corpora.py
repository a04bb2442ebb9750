"""What metrics are tried on: a corpus whose items know other sentences of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import Corpus, Pair
from hyperbaton.studies.metrics.damaged import DAMAGED, damaged_texts
from hyperbaton.studies.metrics.kinds import ANOTHER, HUB

BESIDE = (ANOTHER, HUB)
"""The columns that hold other sentences of the corpus."""
_SAMPLE = 200
"""Sentences of which the one that is most like all others is chosen."""


@dataclass(frozen=True)
class Beside(Corpus):
    """A corpus whose items know the next one's text, and the sentence that is most like all."""

    corpus: Corpus

    @property
    def pair(self) -> Pair:  # type: ignore[override]
        """That of the corpus."""
        return self.corpus.pair

    @property
    def identity(self) -> str:
        return self.corpus.identity

    def items(self) -> Iterator[Item]:
        """The items, each with other sentences of the corpus in further columns."""
        hub = _hub([_text(item) for item in islice(self.corpus.items(), _SAMPLE)])
        first = last = None
        for item in self.corpus.items():
            if last is not None:
                yield _with(last, _text(item), hub)
            first, last = first or item, item
        if first is not None and last is not None:
            yield _with(last, _text(first), hub)


def _text(item: Item) -> str:
    """The translation of an item: its own, or the reference."""
    if DAMAGED in item.columns:
        return damaged_texts(item)[0].translation
    if item.reference_text is None:
        raise HyperbatonError(f"item '{item.id}' has no reference, which the study needs: add -r")
    return item.reference_text


def _with(item: Item, another: str, hub: str) -> Item:
    return replace(item, columns={**item.columns, ANOTHER: another, HUB: hub})


def _hub(texts: Sequence[str]) -> str:
    """The text whose pairs of letters are most like those of all others, by Dice's coefficient.

    >>> _hub(["the cat sat", "the cat ran", "dogs bark"])
    'the cat sat'
    """
    pairs = {text: {text[at : at + 2] for at in range(len(text) - 1)} for text in texts}
    likeness = {
        text: sum(2 * len(own & other) / ((len(own) + len(other)) or 1) for other in pairs.values())
        for text, own in pairs.items()
    }
    return max(likeness, key=lambda text: likeness[text], default="")
