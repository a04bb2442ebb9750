"""The best tree under a table of head scores (Chu and Liu 1965, Edmonds 1967), with one root."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["best_tree", "is_tree"]

Scores = NDArray[np.floating]


def is_tree(heads: list[int]) -> bool:
    """Whether heads (-1 for the root) form one tree with one root.

    >>> is_tree([1, -1, 1]), is_tree([1, 0, -1]), is_tree([-1, -1])
    (True, False, False)
    """
    if heads.count(-1) != 1:
        return False
    safe = {-1}
    for word in range(len(heads)):
        path: set[int] = set()
        while word not in safe:
            if word in path:
                return False
            path.add(word)
            word = heads[word]
        safe |= path
    return True


def best_tree(scores: Scores) -> list[int]:
    """The heads (-1 for the root) of the tree with the highest sum of scores.

    `scores[word, 0]` is the score of the word as root, `scores[word, 1 + head]` that of a head.

    >>> import numpy as np
    >>> best_tree(np.array([[1.0, 0.0, 9.0], [2.0, 8.0, 0.0]]))
    [1, -1]
    """
    size = len(scores)
    table = np.full((size + 1, size + 1), -np.inf)
    table[1:, :] = scores
    np.fill_diagonal(table, -np.inf)
    greedy = [int(head) - 1 for head in table[1:].argmax(axis=1)] if size else []
    if not size or is_tree(greedy):
        return greedy
    # A root arc that costs more than any gain of a second root makes the optimum single-rooted.
    finite = table[np.isfinite(table)]
    penalty = (finite.max() - finite.min() + 1) * (size + 1)
    table[1:, 0] -= penalty
    return [head - 1 for head in _edmonds(table)[1:]]


def _edmonds(table: Scores) -> list[int]:
    """Heads of the maximum arborescence from node 0; `table[node, head]` are the scores."""
    size = len(table)
    heads = [0, *(int(head) for head in table[1:].argmax(axis=1))]
    cycle = _cycle(heads)
    if not cycle:
        return heads
    members = set(cycle)
    rest = [node for node in range(size) if node not in members]
    # The cycle becomes the last node of a smaller table; an arc into it replaces one of its own.
    small = np.full((len(rest) + 1, len(rest) + 1), -np.inf)
    small[:-1, :-1] = table[np.ix_(rest, rest)]
    kept = np.array([table[node, heads[node]] for node in cycle])
    entering = table[np.ix_(cycle, rest)] - kept[:, None]
    small[-1, :-1] = entering.max(axis=0)
    leaving = table[np.ix_(rest, cycle)]
    small[:-1, -1] = leaving.max(axis=1)
    inner = _edmonds(small)
    result = list(heads)
    for position, node in enumerate(rest[1:], start=1):
        head = inner[position]
        result[node] = cycle[int(leaving[position].argmax())] if head == len(rest) else rest[head]
    source = inner[-1]
    result[cycle[int(entering[:, source].argmax())]] = rest[source]
    return result


def _cycle(heads: list[int]) -> list[int]:
    """The nodes of one cycle, or none."""
    done = {0}
    for node in range(1, len(heads)):
        path: list[int] = []
        while node not in done:
            if node in path:
                return path[path.index(node) :]
            path.append(node)
            node = heads[node]
        done.update(path)
    return []
