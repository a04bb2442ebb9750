"""`gloss`: links by dictionary, for texts too few to learn from, or where nothing is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.alignment.aligner import Aligner, Links, Pair
from hyperbaton.alignment.lexical import dictionaries, key, lexical
from hyperbaton.base.content import fingerprint

__all__ = ["Gloss"]

_FAR = 1.0
"""What a link costs when its words stand at opposite ends of their texts."""
_RULES = 3
"""Raised when the code makes other links of the same pairs."""


@dataclass(frozen=True)
class Gloss(Aligner):
    """Links words by dictionary and spelling, each word once, the surest first; learns nothing.

    >>> Gloss().align([(["A", "house", "."], ["Ein", "Haus", "."])], "en", "de")
    [((0, 0), (1, 1), (2, 2))]
    """

    name: ClassVar[str] = "gloss"
    alone = True

    def align(self, pairs: Sequence[Pair], source: str = "", target: str = "") -> list[Links]:
        """The links of each pair, which do not depend on the other pairs."""
        keyed = [([key(w) for w in one], [key(w) for w in two]) for one, two in pairs]
        sources = {word for one, _ in keyed for word in one}
        targets = {word for _, two in keyed for word in two}
        strengths = lexical(sources, targets, (source, target))
        rows: dict[str, dict[str, float]] = {}
        for (one, two), strength in strengths.items():
            rows.setdefault(one, {})[two] = strength
        return [_link(words, others, rows) for words, others in keyed]

    def signature(self, source: str = "", target: str = "") -> str:
        """The name and the hash of the dictionaries."""
        return f"{self}|dictionary:{fingerprint(dictionaries(source, target))}|rules:{_RULES}"


def _link(
    source: Sequence[str], target: Sequence[str], strengths: Mapping[str, Mapping[str, float]]
) -> Links:
    """Competitive linking (Melamed 2000): the surest link first, then what it leaves free."""
    candidates = []
    for i, one in enumerate(source):
        row = strengths.get(one)
        if row is None:
            continue
        for j, two in enumerate(target):
            if two in row:
                distance = abs((i + 0.5) / len(source) - (j + 0.5) / len(target))
                candidates.append((distance * _FAR - row[two], i, j))
    links: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(candidates):
        if i not in links and j not in taken:
            links[i] = j
            taken.add(j)
    return tuple(sorted(links.items()))
