"""A corpus of any length from the sentences that are shipped, each with a word of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from hyperbaton.corpus.item import Item, Text
from hyperbaton.corpus.starter import starter
from hyperbaton.language.sentence import Sentence
from hyperbaton.pipeline import Corpus, Pair

__all__ = ["MadeUp"]


@dataclass(frozen=True)
class MadeUp(Corpus):
    """So many items with trees, read anew each time; no two sources are the same."""

    pair: Pair
    size: int

    def items(self) -> Iterator[Item]:
        shipped = list(starter(self.pair.source, self.pair.target))
        numbers = (divmod(n, len(shipped)) for n in range(self.size))
        for turn, place in islice(numbers, self.size):
            item = shipped[place]
            name = f"{turn}-{item.id}"
            yield replace(
                item,
                id=name,
                source=_numbered(item.source, turn, name),
                reference=item.reference and _numbered(item.reference, turn, name),
            )

    @property
    def identity(self) -> str:
        return f"made up ({self.size} items)"


def _numbered(text: Text, turn: int, name: str) -> Text:
    """The sentence with a number at its first word."""
    if not isinstance(text, Sentence):
        return text
    return replace(text, words=(f"{text.words[0]}{turn}", *text.words[1:]), id=name)
