"""What a word aligner is, and how the links of two directions become one set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence, Set
from typing import ClassVar, Literal

from hyperbaton.base.spec import Registry, Spec

Words = Sequence[str]
Pair = tuple[Words, Words]
"""The words of a source text and of its translation."""
Link = tuple[int, int]
"""The number of a source word and of a target word, counted from 0."""
Links = tuple[Link, ...]
"""The links of one pair, in order."""
Symmetry = Literal["grow-diag-final-and", "intersection", "union"]
"""Links of both directions; or of one of them; or those of both and what grows from them."""

_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


class Aligner(Spec, ABC):
    """Links the words of translations; subclasses are frozen dataclasses of its parameters."""

    alone: ClassVar[bool] = False
    """Whether the links of a pair are the same whatever other pairs there are."""
    given: ClassVar[bool] = False
    """Whether the links of some pairs are known, and none of other ones."""

    @abstractmethod
    def align(self, pairs: Sequence[Pair], source: str = "", target: str = "") -> list[Links]:
        """The links of each pair; `source` and `target` are language codes, where known.

        All pairs of a run belong in one call: an aligner may learn from them.
        """

    def signature(self, source: str = "", target: str = "") -> str:
        """Its name and everything else that changes its links, apart from the pairs."""
        return str(self)


ALIGNERS: Registry[Aligner] = Registry(
    "aligner",
    {
        "attention": "hyperbaton.alignment.attention:Attention",
        "fast_align": "hyperbaton.alignment.fast_align:FastAlign",
        "gloss": "hyperbaton.alignment.gloss:Gloss",
        "pharaoh": "hyperbaton.alignment.pharaoh:Pharaoh",
    },
)
"""Every aligner by name."""


def symmetrise(forward: Set[Link], backward: Set[Link], how: Symmetry) -> Links:
    """The links of two directions as one set, in order.

    >>> forward, backward = {(0, 0), (1, 1), (1, 2)}, {(0, 0), (1, 2), (2, 3)}
    >>> symmetrise(forward, backward, "intersection")
    ((0, 0), (1, 2))
    >>> symmetrise(forward, backward, "grow-diag-final-and")
    ((0, 0), (1, 1), (1, 2), (2, 3))
    """
    if how == "union":
        return tuple(sorted(forward | backward))
    both = forward & backward
    if how == "intersection":
        return tuple(sorted(both))
    return tuple(sorted(_grown(forward, backward)))


def _grown(forward: Set[Link], backward: Set[Link]) -> set[Link]:
    """Och and Ney's heuristic as Koehn describes it: grow-diag, then final-and.

    A neighbour of a link, across corners too, joins when one of its words has no link yet; at the
    end any link joins whose words both have none.
    """
    union = forward | backward
    links = set(forward & backward)
    sources = {i for i, _ in links}
    targets = {j for _, j in links}
    grew = True
    while grew:
        grew = False
        for i, j in sorted(links):
            for down, right in _NEIGHBOURS:
                link = (i + down, j + right)
                free = link[0] not in sources or link[1] not in targets
                if free and link in union and link not in links:
                    links.add(link)
                    sources.add(link[0])
                    targets.add(link[1])
                    grew = True
    for direction in (forward, backward):
        for i, j in sorted(direction):
            if i not in sources and j not in targets:
                links.add((i, j))
                sources.add(i)
                targets.add(j)
    return links
