"""Whether a column of heads is a tree."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["cycle"]


def cycle(heads: Sequence[int]) -> int | None:
    """A word that is its own ancestor, or None; heads are 0-based and a root points to itself.

    >>> cycle((1, 1, 1)), cycle((1, 2, 0, 3))
    (None, 0)
    """
    state = [0] * len(heads)  # 0 not seen, 1 on the way up, 2 known to reach a root
    for start in range(len(heads)):
        path = []
        word = start
        while state[word] == 0:
            state[word] = 1
            path.append(word)
            if heads[word] == word:
                break
            word = heads[word]
        else:
            if state[word] == 1:
                return word
        for seen in path:
            state[seen] = 2
    return None
